#include "stile/find.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "ops/check.hpp"
#include "ops/on_host.hpp"
#include "stile/ops/index.hpp"
#include "stile/ops/shape.hpp"

namespace stile::detail {
namespace {

using Values = std::span<const RawValues>;

/// Calls `function` with the elements as what they are.
template <class F>
auto visitElements(DType dtype, RawValues raw, F function) {
    switch (dtype) {
        case DType::float32: return function(elementsOf<float>(raw));
        case DType::complex64: return function(elementsOf<float>(raw));  // twice as many
        case DType::string: return function(elementsOf<std::string>(raw));
        default: return function(elementsOf<std::int32_t>(raw));
    }
}

/// Appends an element to a key, so that what counts as equal gives equal keys.
void append(std::string& key, float value) {
    const float one = std::isnan(value) ? std::nanf("") : value + 0.0F;  // -0 + 0 is 0
    key.append(reinterpret_cast<const char*>(&one), sizeof one);
}
void append(std::string& key, std::int32_t value) { key.append(reinterpret_cast<const char*>(&value), sizeof value); }
void append(std::string& key, const std::string& value) {
    append(key, static_cast<std::int32_t>(value.size()));
    key += value;
}

/// A key for each slice along an axis of x [outer, count, inner].
std::vector<std::string> keysOf(DType dtype, RawValues raw, std::int64_t outer, std::int64_t count, std::int64_t inner) {
    std::vector<std::string> keys(static_cast<std::size_t>(count));
    if (dtype == DType::complex64) inner *= 2;
    visitElements(dtype, raw, [&](auto elements) {
        std::size_t at = 0;
        for (std::int64_t o = 0; o < outer; ++o) {
            for (std::string& key : keys) {
                for (std::int64_t i = 0; i < inner; ++i) append(key, elements[at++]);
            }
        }
    });
    return keys;
}
std::vector<std::string> keysOf(const Tensor& list, RawValues raw) { return keysOf(list.dtype(), raw, 1, list.size(), 1); }

/// Where a list of bools holds.
std::vector<std::int32_t> positions(RawValues raw) {
    const auto elements = elementsOf<std::int32_t>(raw);
    std::vector<std::int32_t> out;
    for (std::size_t i = 0; i < elements.size(); ++i) {
        if (elements[i] != 0) out.push_back(static_cast<std::int32_t>(i));
    }
    return out;
}

}  // namespace

Computation<Tensor> whereOf(const Tensor& condition) {
    constexpr const char* op = "whereAsync";
    ops::expect(op, "condition", condition, DType::boolean);
    return {op, {condition}, [shape = condition.shape(), home = condition.node()->home](Values values) {
                const std::vector<std::int32_t> found = positions(values[0]);
                const std::vector<std::int64_t> strides = ops::stridesOf(shape);
                std::vector<std::int32_t> coordinates;
                coordinates.reserve(found.size() * strides.size());
                for (std::int64_t rest : found) {
                    for (const std::int64_t stride : strides) {
                        coordinates.push_back(static_cast<std::int32_t>(rest / stride));
                        rest %= stride;
                    }
                }
                const auto count = static_cast<std::int64_t>(found.size());
                return ops::onHost(op, ops::shapeOf(op, {count, shape.rank()}), std::move(coordinates), DType::int32, home);
            }};
}

Computation<Tensor> booleanMaskOf(const Tensor& x, const Tensor& mask, int axis) {
    constexpr const char* op = "booleanMaskAsync";
    ops::expect(op, "mask", mask, DType::boolean);
    const int at = axis < 0 ? axis + x.rank() : axis;
    bool fits = mask.rank() > 0 && at >= 0 && at + mask.rank() <= x.rank();
    for (int i = 0; fits && i < mask.rank(); ++i) fits = mask.shape()[i] == x.shape()[at + i];
    if (!fits) ops::fail(op, "x {}, mask {}, axis {}", toString(x.shape()), toString(mask.shape()), axis);
    std::vector<std::int64_t> extents = ops::extentsOf(x.shape());
    extents.erase(extents.begin() + at, extents.begin() + at + mask.rank());
    extents.insert(extents.begin() + at, mask.size());
    return {op, {mask}, [x = reshape(x, extents), at, home = mask.node()->home](Values values) {
                std::vector<std::int32_t> found = positions(values[0]);
                return gather(x, ops::listOnHost(op, std::move(found), home), at);
            }};
}

Computation<Difference> setdiff1dOf(const Tensor& x, const Tensor& y) {
    constexpr const char* op = "setdiff1dAsync";
    if (x.rank() != 1 || y.rank() != 1) ops::fail(op, "x {} and y {} are no lists", toString(x.shape()), toString(y.shape()));
    ops::expect(op, "y", y, x.dtype());
    return {op, {x, y}, [x, y, home = ops::homeOf({x, y})](Values values) {
                const std::vector<std::string> gone = keysOf(y, values[1]);
                const std::unordered_set<std::string_view> without(gone.begin(), gone.end());
                std::vector<std::int32_t> kept;
                std::int32_t i = 0;
                for (const std::string& key : keysOf(x, values[0])) {
                    if (!without.contains(key)) kept.push_back(i);
                    ++i;
                }
                const Tensor indices = ops::listOnHost(op, std::move(kept), home);
                return Difference{gather(x, indices), indices};
            }};
}

Computation<Unique> uniqueOf(const Tensor& x, int axis) {
    constexpr const char* op = "uniqueAsync";
    const int at = ops::axisOf(op, x.shape(), axis);
    return {op, {x}, [x, at](Values values) {
                std::int64_t outer = 1, inner = 1;
                for (int i = 0; i < at; ++i) outer *= x.shape()[i];
                for (int i = at + 1; i < x.rank(); ++i) inner *= x.shape()[i];
                std::unordered_map<std::string, std::int32_t> known;
                std::vector<std::int32_t> firsts, numbers;
                std::int32_t i = 0;
                for (std::string& key : keysOf(x.dtype(), values[0], outer, x.shape()[at], inner)) {
                    const auto [place, isNew] = known.emplace(std::move(key), static_cast<std::int32_t>(known.size()));
                    if (isNew) firsts.push_back(i);
                    numbers.push_back(place->second);
                    ++i;
                }
                const HomePtr& home = x.node()->home;
                return Unique{gather(x, ops::listOnHost(op, std::move(firsts), home), at),
                              ops::listOnHost(op, std::move(numbers), home)};
            }};
}

Computation<Tensor> inTopKOf(const Tensor& predictions, const Tensor& targets, std::int64_t k) {
    constexpr const char* op = "inTopKAsync";
    ops::expect(op, "predictions", predictions, DType::float32);
    if (targets.dtype() != DType::float32) ops::expect(op, "targets", targets, DType::int32);
    const auto shapes = [&] {
        return fmt::format("predictions {}, targets {}", toString(predictions.shape()), toString(targets.shape()));
    };
    if (predictions.rank() < 2 ||
        !std::ranges::equal(targets.shape(), std::span(predictions.shape().begin(), predictions.shape().end() - 1))) {
        ops::fail(op, "{}", shapes());
    }
    const std::int64_t classes = predictions.shape()[-1];
    if (k < 1 || k > classes) ops::fail(op, "k {} of {} classes: {}", k, classes, shapes());
    return {op, {predictions, targets}, [predictions, targets, k, classes](Values values) {
                const auto all = elementsOf<float>(values[0]);
                std::vector<std::int32_t> found;
                for (std::size_t row = 0; row < static_cast<std::size_t>(targets.size()); ++row) {
                    const auto scores = all.subspan(row * static_cast<std::size_t>(classes), static_cast<std::size_t>(classes));
                    const double target = targets.dtype() == DType::float32
                                              ? double{elementsOf<float>(values[1])[row]}
                                              : static_cast<double>(elementsOf<std::int32_t>(values[1])[row]);
                    bool in = target >= 0 && target < static_cast<double>(classes);
                    if (in) {
                        const auto at = static_cast<std::size_t>(target);
                        const float score = scores[at];
                        std::int64_t better = 0;
                        for (std::size_t i = 0; i < scores.size(); ++i) {
                            const float other = scores[i];
                            better += static_cast<std::int64_t>(other > score || (other == score && i < at));
                        }
                        in = better < k && !std::isnan(score);
                    }
                    found.push_back(in ? 1 : 0);
                }
                return ops::onHost(op, targets.shape(), std::move(found), DType::boolean, predictions.node()->home);
            }};
}

}  // namespace stile::detail
