#include "stile/ragged.hpp"

#include <algorithm>
#include <vector>

#include "ops/check.hpp"
#include "ops/on_host.hpp"
#include "stile/ops/index.hpp"
#include "stile/ops/shape.hpp"

namespace stile::detail {
namespace {

constexpr const char* op = "raggedTensorToTensorAsync";

using Extents = std::vector<std::int64_t>;

/// One ragged axis: how many values each of the rows above has.
using Lengths = std::vector<std::int64_t>;

/// The lengths of the rows of one axis, of which there are `rows`.
Lengths lengthsOf(const RowPartition& partition, std::span<const std::int32_t> elements, std::int64_t rows,
                  std::size_t number) {
    Lengths lengths(static_cast<std::size_t>(rows));
    std::int32_t last = 0;
    const auto expectRising = [&](std::int32_t element) {
        if (element < last) ops::fail(op, "rowPartitions[{}]: {} after {}", number, element, last);
        last = element;
    };
    if (partition.type == RowPartitionType::valueRowIds) {
        for (const std::int32_t row : elements) {
            expectRising(row);
            if (row >= rows) ops::fail(op, "rowPartitions[{}]: row {} of {}", number, row, rows);
            ++lengths[static_cast<std::size_t>(row)];
        }
        return lengths;
    }
    if (static_cast<std::int64_t>(elements.size()) != rows + 1) {
        ops::fail(op, "rowPartitions[{}]: {} splits for {} rows", number, elements.size(), rows);
    }
    if (elements[0] != 0) ops::fail(op, "rowPartitions[{}]: splits start at {}", number, elements[0]);
    for (std::size_t row = 0; row < lengths.size(); ++row) {
        expectRising(elements[row + 1]);
        lengths[row] = elements[row + 1] - elements[row];
    }
    return lengths;
}

/// The dense shape. \param asked -1 where the ragged tensor says it; nothing if it says all
Extents extentsOf(Extents asked, const Shape& values, std::int64_t rows, const std::vector<Lengths>& axes) {
    Extents extents{rows};
    for (const Lengths& lengths : axes) extents.push_back(lengths.empty() ? 0 : *std::ranges::max_element(lengths));
    for (int axis = 1; axis < values.rank(); ++axis) extents.push_back(values[axis]);
    if (asked.empty()) return extents;
    bool fits = asked.size() == extents.size();
    for (std::size_t axis = 0; fits && axis < asked.size(); ++axis) {
        fits = asked[axis] >= -1 && (axis <= axes.size() || asked[axis] == -1 || asked[axis] == extents[axis]);
        if (asked[axis] >= 0) extents[axis] = asked[axis];
    }
    if (!fits) {
        ops::fail(op, "shape [{}] for {} ragged axes and values {}", fmt::join(asked, ", "), axes.size(), toString(values));
    }
    return extents;
}

/// Where in the dense tensor each row of the values goes; -1 for what is cut.
std::vector<std::int64_t> placesOf(const Extents& extents, std::int64_t rows, const std::vector<Lengths>& axes) {
    std::vector<std::int64_t> places;
    for (std::int64_t row = 0; row < rows; ++row) places.push_back(row < extents[0] ? row : -1);
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        const std::int64_t width = extents[axis + 1];
        std::vector<std::int64_t> inner;
        for (std::size_t row = 0; row < places.size(); ++row) {
            for (std::int64_t i = 0; i < axes[axis][row]; ++i) {
                inner.push_back(places[row] >= 0 && i < width ? places[row] * width + i : -1);
            }
        }
        places = std::move(inner);
    }
    return places;
}

void expectPartitions(const std::vector<RowPartition>& partitions) {
    if (partitions.empty()) ops::fail(op, "no rowPartitions");
    for (std::size_t i = 0; i < partitions.size(); ++i) {
        const auto& [type, tensor] = partitions[i];
        ops::expect(op, "rowPartitions", tensor, DType::int32);
        const bool isSize = type == RowPartitionType::firstDimSize;
        if (isSize ? i > 0 : i == 0 && type == RowPartitionType::valueRowIds) {
            ops::fail(op, "rowPartitions[{}] has a kind that does not stand there", i);
        }
        const bool fits = isSize ? tensor.rank() == 0 : tensor.rank() == 1;
        if (!fits || (type == RowPartitionType::rowSplits && tensor.size() == 0)) {
            ops::fail(op, "rowPartitions[{}] {}", i, toString(tensor.shape()));
        }
    }
}

}  // namespace

Computation<Tensor> raggedTensorToTensorOf(const Tensor& shape, const Tensor& values, const Tensor& defaultValue,
                                           const std::vector<RowPartition>& rowPartitions) {
    ops::expect(op, "shape", shape, DType::int32);
    ops::expect(op, "defaultValue", defaultValue, values.dtype());
    const auto shapes = [&] {
        return fmt::format("shape {}, values {}, defaultValue {}", toString(shape.shape()), toString(values.shape()),
                           toString(defaultValue.shape()));
    };
    if (shape.rank() > 1 || values.rank() < 1) ops::fail(op, "{}", shapes());
    Extents element = ops::extentsOf(values.shape());
    element.erase(element.begin());
    if (const Shape one(element); defaultValue.rank() > one.rank() || broadcastShapes(defaultValue.shape(), one) != one) {
        ops::fail(op, "the default does not broadcast to an element: {}", shapes());
    }
    expectPartitions(rowPartitions);
    std::vector<Tensor> inputs{shape};
    for (const RowPartition& each : rowPartitions) inputs.push_back(each.tensor);
    return {op, inputs, [=, home = ops::homeOf(inputs), isScalar = shape.rank() == 0](std::span<const RawValues> raw) {
                const auto asked = elementsOf<std::int32_t>(raw[0]);
                if (isScalar && asked[0] != -1) ops::fail(op, "shape is the scalar {}, which stands for none", asked[0]);
                const bool counted = rowPartitions[0].type == RowPartitionType::firstDimSize;
                const auto first = elementsOf<std::int32_t>(raw[1]);
                const std::int64_t rows = counted ? first[0] : static_cast<std::int64_t>(first.size()) - 1;
                if (rows < 0) ops::fail(op, "rowPartitions[0]: {} rows", rows);
                std::vector<Lengths> axes;
                std::int64_t above = rows;
                for (std::size_t i = counted ? 1 : 0; i < rowPartitions.size(); ++i) {
                    axes.push_back(lengthsOf(rowPartitions[i], elementsOf<std::int32_t>(raw[i + 1]), above, i));
                    above = 0;
                    for (const std::int64_t length : axes.back()) above += length;
                }
                const std::int64_t n = values.shape()[0];
                if (above != n) ops::fail(op, "rowPartitions of {} values, values {}", above, toString(values.shape()));
                const Extents extents =
                    extentsOf(isScalar ? Extents{} : Extents(asked.begin(), asked.end()), values.shape(), rows, axes);
                const Shape result = ops::shapeOf(op, extents);
                std::int64_t dense = result.size() == 0 ? 0 : 1;
                for (std::size_t axis = 0; axis <= axes.size(); ++axis) dense *= extents[axis];
                // The default stands behind the values.
                std::vector<std::int32_t> source(static_cast<std::size_t>(dense), static_cast<std::int32_t>(n));
                for (std::int32_t row = 0; const std::int64_t place : placesOf(extents, rows, axes)) {
                    if (place >= 0 && dense > 0) source[static_cast<std::size_t>(place)] = row;
                    ++row;
                }
                Extents one(extents.begin() + static_cast<std::ptrdiff_t>(axes.size()) + 1, extents.end());
                const Tensor filling = broadcastTo(defaultValue, Shape(one));
                one.insert(one.begin(), 1);
                const Tensor known = concat({values, reshape(filling, one)});
                return reshape(gather(known, ops::onHost(op, Shape(dense), std::move(source), DType::int32, home)), extents);
            }};
}

}  // namespace stile::detail
