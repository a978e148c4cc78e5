#include "stile/sparse.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "ops/check.hpp"
#include "ops/on_host.hpp"
#include "stile/ops/index.hpp"
#include "stile/ops/shape.hpp"

namespace stile::detail {
namespace {

using Values = std::span<const RawValues>;
using Ints = std::vector<std::int32_t>;

std::int64_t count(const Ints& values) { return static_cast<std::int64_t>(values.size()); }

/// The product of extents. \throws Error `invalid_argument` for a negative one, or 2^63 elements or more.
std::int64_t sizeOf(const char* op, const char* argument, const std::vector<std::int64_t>& extents) {
    std::int64_t size = 1;
    bool fits = true;
    for (const std::int64_t extent : extents) {
        if (extent < 0) ops::fail(op, "{} [{}] has a negative extent", argument, fmt::join(extents, ", "));
        if (extent > 0) fits = fits && !__builtin_mul_overflow(size, extent, &size);
    }
    if (!fits) ops::fail(op, "{} [{}] has 2^63 elements or more", argument, fmt::join(extents, ", "));
    return std::ranges::find(extents, 0) == extents.end() ? size : 0;
}

/// The new shape with what is left in place of a -1.
std::vector<std::int64_t> inferred(const char* op, std::vector<std::int64_t> extents, std::int64_t size) {
    const auto unknown = std::ranges::find(extents, -1);
    if (unknown == extents.end()) return extents;
    *unknown = 1;
    const std::int64_t known = sizeOf(op, "newShape", extents);
    if (known == 0 || size % known != 0) {
        *unknown = -1;
        ops::fail(op, "newShape [{}] for {} elements", fmt::join(extents, ", "), size);
    }
    *unknown = size / known;
    return extents;
}

/// The same position in another shape.
void moveCoordinates(std::span<const std::int32_t> from, const std::vector<std::int64_t>& fromExtents,
                     const std::vector<std::int64_t>& toExtents, Ints& out) {
    std::int64_t position = 0;
    for (std::size_t axis = 0; axis < from.size(); ++axis) position = position * fromExtents[axis] + from[axis];
    const std::size_t start = out.size();
    out.resize(start + toExtents.size());
    for (std::size_t axis = toExtents.size(); axis-- > 0;) {
        out[start + axis] = static_cast<std::int32_t>(position % toExtents[axis]);
        position /= toExtents[axis];
    }
}

}  // namespace

Computation<sparse::FilledRows> sparseFillEmptyRowsOf(const Tensor& indices, const Tensor& values, const Tensor& denseShape,
                                                      const Tensor& defaultValue) {
    constexpr const char* op = "sparseFillEmptyRowsAsync";
    ops::expect(op, "indices", indices, DType::int32);
    ops::expect(op, "denseShape", denseShape, DType::int32);
    ops::expect(op, "defaultValue", defaultValue, values.dtype());
    if (indices.rank() != 2 || indices.shape()[1] < 1 || values.shape() != Shape(indices.shape()[0]) ||
        denseShape.shape() != Shape(indices.shape()[1]) || defaultValue.rank() != 0) {
        ops::fail(op, "indices {}, values {}, denseShape {}, defaultValue {}", toString(indices.shape()),
                  toString(values.shape()), toString(denseShape.shape()), toString(defaultValue.shape()));
    }
    const HomePtr home = ops::homeOf({indices, denseShape, values});
    return {op, {indices, denseShape}, [=, n = indices.shape()[0], rank = indices.shape()[1]](Values raw) {
                const auto coordinates = elementsOf<std::int32_t>(raw[0]);
                const std::int32_t rows = elementsOf<std::int32_t>(raw[1])[0];
                if (rows < 0) ops::fail(op, "denseShape has {} rows", rows);
                const auto step = static_cast<std::size_t>(rank);
                // How many elements each row has, then where its first goes.
                std::vector<std::int64_t> places(static_cast<std::size_t>(rows));
                for (std::size_t at = 0; at < coordinates.size(); at += step) {
                    const std::int32_t row = coordinates[at];
                    if (row < 0 || row >= rows) ops::fail(op, "indices: element {} in row {} of {}", at / step, row, rows);
                    ++places[static_cast<std::size_t>(row)];
                }
                Ints empty, source;
                std::int64_t total = 0;
                for (std::int64_t& place : places) {
                    empty.push_back(place == 0 ? 1 : 0);
                    total += std::max<std::int64_t>(place, 1);
                    place = total - std::max<std::int64_t>(place, 1);
                }
                const Shape all = ops::shapeOf(op, {total, rank});
                Ints moved(static_cast<std::size_t>(all.size())), reverse;
                source.assign(static_cast<std::size_t>(total),
                              static_cast<std::int32_t>(n));  // the default stands behind the values
                for (std::size_t row = 0; row < empty.size(); ++row) {
                    if (empty[row] != 0) moved[static_cast<std::size_t>(places[row]) * step] = static_cast<std::int32_t>(row);
                }
                for (std::size_t at = 0; at < coordinates.size(); at += step) {
                    const auto place = static_cast<std::size_t>(places[static_cast<std::size_t>(coordinates[at])]++);
                    std::ranges::copy(coordinates.subspan(at, step), moved.begin() + static_cast<std::ptrdiff_t>(place * step));
                    source[place] = static_cast<std::int32_t>(at / step);
                    reverse.push_back(static_cast<std::int32_t>(place));
                }
                const Tensor known = total == n ? values : concat({values, reshape(defaultValue, Shape(1))});
                return sparse::FilledRows{ops::onHost(op, all, std::move(moved), DType::int32, home),
                                          gather(known, ops::onHost(op, Shape(total), std::move(source), DType::int32, home)),
                                          ops::onHost(op, Shape(rows), std::move(empty), DType::boolean, home),
                                          ops::onHost(op, Shape(n), std::move(reverse), DType::int32, home)};
            }};
}

Computation<sparse::Reshaped> sparseReshapeOf(const Tensor& inputIndices, const Tensor& inputShape, const Tensor& newShape) {
    constexpr const char* op = "sparseReshapeAsync";
    ops::expect(op, "inputIndices", inputIndices, DType::int32);
    ops::expect(op, "inputShape", inputShape, DType::int32);
    ops::expect(op, "newShape", newShape, DType::int32);
    if (inputIndices.rank() != 2 || inputShape.shape() != Shape(inputIndices.shape()[1]) || newShape.rank() != 1) {
        ops::fail(op, "inputIndices {}, inputShape {}, newShape {}", toString(inputIndices.shape()),
                  toString(inputShape.shape()), toString(newShape.shape()));
    }
    const HomePtr home = ops::homeOf({inputIndices, inputShape, newShape});
    return {op, {inputIndices, inputShape, newShape}, [=, n = inputIndices.shape()[0]](Values raw) {
                const auto coordinates = elementsOf<std::int32_t>(raw[0]);
                const auto given = elementsOf<std::int32_t>(raw[1]), asked = elementsOf<std::int32_t>(raw[2]);
                const std::vector<std::int64_t> from(given.begin(), given.end());
                const std::int64_t size = sizeOf(op, "inputShape", from);
                const std::vector<std::int64_t> to = inferred(op, {asked.begin(), asked.end()}, size);
                if (sizeOf(op, "newShape", to) != size) {
                    ops::fail(op, "newShape [{}] for inputShape [{}]", fmt::join(to, ", "), fmt::join(from, ", "));
                }
                Ints extents;
                for (const std::int64_t extent : to) {
                    if (extent > std::numeric_limits<std::int32_t>::max()) {
                        ops::fail(op, "newShape [{}] has an extent beyond int32", fmt::join(to, ", "));
                    }
                    extents.push_back(static_cast<std::int32_t>(extent));
                }
                const Shape shape = ops::shapeOf(op, {n, count(extents)});
                Ints moved;
                moved.reserve(static_cast<std::size_t>(shape.size()));
                for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
                    const auto each = coordinates.subspan(i * from.size(), from.size());
                    for (std::size_t axis = 0; axis < from.size(); ++axis) {
                        if (each[axis] < 0 || each[axis] >= from[axis]) {
                            ops::fail(op, "inputIndices: element {} at [{}] of inputShape [{}]", i, fmt::join(each, ", "),
                                      fmt::join(from, ", "));
                        }
                    }
                    moveCoordinates(each, from, to, moved);
                }
                const Shape rank(count(extents));
                return sparse::Reshaped{ops::onHost(op, shape, std::move(moved), DType::int32, home),
                                        ops::onHost(op, rank, std::move(extents), DType::int32, home)};
            }};
}

}  // namespace stile::detail
