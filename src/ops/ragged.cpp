#include "stile/ragged.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "ops/check.hpp"
#include "ops/on_host.hpp"
#include "stile/ops/index.hpp"
#include "stile/ops/shape.hpp"

namespace stile::detail {
namespace {

using Values = std::span<const RawValues>;
using Ints = std::vector<std::int32_t>;
using IntSpan = std::span<const std::int32_t>;

constexpr std::int64_t greatestInt = std::numeric_limits<std::int32_t>::max();

/// \throws Error `invalid_argument` unless splits rise from 0 or more to at most `end`.
void expectSplits(const char* op, const std::string& argument, IntSpan splits, std::int64_t end) {
    std::int32_t last = 0;
    for (std::size_t i = 0; i < splits.size(); ++i) {
        if (splits[i] < last) ops::fail(op, "{}[{}] is {} after {}", argument, i, splits[i], last);
        last = splits[i];
    }
    if (last > end) ops::fail(op, "{} lead to {} of {}", argument, last, end);
}

/// Which rows of the values a gather picks, and the splits above them.
struct Picked {
    std::vector<Ints> splits;
    Ints rows;
};

/// \param nested the splits of the params, \param shape that of the indices
Picked pick(const char* op, const std::vector<IntSpan>& nested, IntSpan indices, const Shape& shape) {
    Picked out;
    // The axes of the indices but the last are rows of one length each.
    std::int64_t rows = 1;
    for (int axis = 0; axis + 1 < shape.rank(); ++axis) {
        rows *= shape[axis];
        Ints& splits = out.splits.emplace_back();
        for (std::int64_t i = 0; i <= rows; ++i) splits.push_back(static_cast<std::int32_t>(i * shape[axis + 1]));
    }
    const std::size_t given = shape.rank() == 0 ? 1 : 0;  // a scalar picks within the outermost row
    const std::size_t first = out.splits.size();
    for (std::size_t depth = given; depth < nested.size(); ++depth) out.splits.push_back({0});
    std::int64_t total = 0;
    for (const std::int32_t index : indices) {
        std::int32_t start = index, end = index + 1;
        for (std::size_t depth = 0; depth < nested.size(); ++depth) {
            const IntSpan from = nested[depth];
            if (depth >= given) {
                Ints& splits = out.splits[first + depth - given];
                const std::int64_t shift = std::int64_t{splits.back()} - from[static_cast<std::size_t>(start)];
                if (shift + from[static_cast<std::size_t>(end)] > greatestInt) ops::fail(op, "2^31 rows or more");
                for (std::int32_t row = start; row < end; ++row) {
                    splits.push_back(static_cast<std::int32_t>(from[static_cast<std::size_t>(row) + 1] + shift));
                }
            }
            start = from[static_cast<std::size_t>(start)];
            end = from[static_cast<std::size_t>(end)];
        }
        total += end - start;
        if (total > greatestInt) ops::fail(op, "2^31 rows or more");
        for (std::int32_t row = start; row < end; ++row) out.rows.push_back(row);
    }
    return out;
}

/// How many numbers a range has.
double lengthOf(double start, double limit, double delta) {
    return delta > 0 ? (limit > start ? std::ceil((limit - start) / delta) : 0)
                     : (limit < start ? std::ceil((start - limit) / -delta) : 0);
}

template <class T>
RaggedRanges ranges(const char* op, Values raw, std::int64_t rows, const HomePtr& home) {
    const auto at = [&](std::size_t argument, std::int64_t row) {
        const auto elements = elementsOf<T>(raw[argument]);
        return static_cast<double>(elements[elements.size() == 1 ? 0 : static_cast<std::size_t>(row)]);
    };
    Ints splits{0};
    for (std::int64_t row = 0; row < rows; ++row) {
        const double start = at(0, row), limit = at(1, row), delta = at(2, row);
        const auto wrong = [&](const char* why) {
            ops::fail(op, "row {} from {} to {} by {}: {}", row, start, limit, delta, why);
        };
        if (delta == 0 || std::isnan(start) || std::isnan(limit) || std::isnan(delta)) wrong("has no end");
        const double length = lengthOf(start, limit, delta);
        // Infinity by infinity is no number either.
        if (!(length + splits.back() <= static_cast<double>(greatestInt))) wrong("2^31 numbers or more");
        splits.push_back(splits.back() + static_cast<std::int32_t>(length));
    }
    std::vector<T> values;
    values.reserve(static_cast<std::size_t>(splits.back()));
    for (std::int64_t row = 0; row < rows; ++row) {
        const std::int32_t length = splits[static_cast<std::size_t>(row) + 1] - splits[static_cast<std::size_t>(row)];
        const double start = at(0, row), delta = at(2, row);
        for (std::int32_t i = 0; i < length; ++i) values.push_back(static_cast<T>(start + i * delta));
    }
    const Shape all{static_cast<std::int64_t>(values.size())};
    return {ops::listOnHost(op, std::move(splits), home), ops::onHost(op, all, std::move(values), dtypeOf<T>, home)};
}

}  // namespace

Computation<RaggedGathered> raggedGatherOf(const std::vector<Tensor>& paramsNestedSplits, const Tensor& paramsDenseValues,
                                           const Tensor& indices) {
    constexpr const char* op = "raggedGatherAsync";
    if (paramsNestedSplits.empty()) ops::fail(op, "no paramsNestedSplits");
    for (const Tensor& splits : paramsNestedSplits) {
        ops::expect(op, "paramsNestedSplits", splits, DType::int32);
        if (splits.rank() != 1 || splits.size() == 0) ops::fail(op, "paramsNestedSplits {}", toString(splits.shape()));
    }
    ops::expect(op, "indices", indices, DType::int32);
    if (paramsDenseValues.rank() < 1) ops::fail(op, "paramsDenseValues {}", toString(paramsDenseValues.shape()));
    std::vector<Tensor> inputs = paramsNestedSplits;
    inputs.push_back(indices);
    HomePtr home = ops::homeOf(inputs);
    if (!home) home = paramsDenseValues.node()->home;
    return {op, std::move(inputs), [values = paramsDenseValues, shape = indices.shape(), home](Values raw) {
                std::vector<IntSpan> nested;
                for (const RawValues splits : raw.first(raw.size() - 1)) nested.push_back(elementsOf<std::int32_t>(splits));
                const IntSpan picks = elementsOf<std::int32_t>(raw.back());
                for (std::size_t depth = 0; depth < nested.size(); ++depth) {
                    const bool isLast = depth + 1 == nested.size();
                    expectSplits(op, fmt::format("paramsNestedSplits[{}]", depth), nested[depth],
                                 isLast ? values.shape()[0] : static_cast<std::int64_t>(nested[depth + 1].size()) - 1);
                }
                const auto rows = static_cast<std::int64_t>(nested[0].size()) - 1;
                for (std::size_t i = 0; i < picks.size(); ++i) {
                    if (picks[i] < 0 || picks[i] >= rows)
                        ops::fail(op, "indices: element {} is {} of {} rows", i, picks[i], rows);
                }
                Picked picked = pick(op, nested, picks, shape);
                RaggedGathered out;
                for (Ints& splits : picked.splits)
                    out.outputNestedSplits.push_back(ops::listOnHost(op, std::move(splits), home));
                out.outputDenseValues = gather(values, ops::listOnHost(op, std::move(picked.rows), home));
                return out;
            }};
}

Computation<RaggedRanges> raggedRangeOf(const Tensor& starts, const Tensor& limits, const Tensor& deltas) {
    constexpr const char* op = "raggedRangeAsync";
    if (starts.dtype() != DType::int32) ops::expect(op, "starts", starts, DType::float32);
    ops::expect(op, "limits", limits, starts.dtype());
    ops::expect(op, "deltas", deltas, starts.dtype());
    const std::vector<Tensor> inputs{starts, limits, deltas};
    std::int64_t rows = -1;
    for (const Tensor& each : inputs) {
        if (each.rank() == 1 && rows < 0) rows = each.size();
        if (each.rank() > 1 || (each.rank() == 1 && each.size() != rows)) {
            ops::fail(op, "starts {}, limits {}, deltas {}", toString(starts.shape()), toString(limits.shape()),
                      toString(deltas.shape()));
        }
    }
    if (rows < 0) rows = 1;
    const HomePtr home = ops::homeOf(inputs);
    return {op, inputs, [isFloat = starts.dtype() == DType::float32, rows, home](Values raw) {
                return isFloat ? ranges<float>(op, raw, rows, home) : ranges<std::int32_t>(op, raw, rows, home);
            }};
}

}  // namespace stile::detail
