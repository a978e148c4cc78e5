#include "stile/ops/scatter.hpp"

#include <numeric>

#include "ops/check.hpp"
#include "ops/indices.hpp"
#include "stile/create.hpp"
#include "stile/ops/elementwise.hpp"
#include "stile/ops/shape.hpp"

namespace stile {
namespace {

using detail::prim::Combine;

/// Tells at the call of an index that is out of range.
auto outside(const char* op, const Shape& shape) {
    return [op, shape](std::int32_t index, int axis) {
        ops::fail(op, "index {} is outside axis {} of shape {}", index, axis, toString(shape));
    };
}

Tensor scatter(const char* op, const ops::Places& places, const Tensor& updates, Combine combine, const Shape& shape,
               const Tensor* base) {
    detail::prim::Scatter what{.combine = combine, .extent = places.blocks, .inner = 1, .count = places.rows.size()};
    for (const std::int64_t extent : places.block) what.inner *= extent;
    what.strict = true;
    return base ? ops::record(op, what, shape, updates.dtype(), {places.rows, updates, *base})
                : ops::record(op, what, shape, updates.dtype(), {places.rows, updates});
}

/// Indices [n…, d] or [n], and updates [n…, shape[d…]] that go with them.
ops::Places placesOf(const char* op, const Tensor& indices, const Tensor& updates, const Shape& shape) {
    ops::expect(op, "indices", indices, DType::int32);
    const auto shapes = [&] {
        return fmt::format("indices {}, updates {}, shape {}", toString(indices.shape()), toString(updates.shape()),
                           toString(shape));
    };
    if (indices.rank() < 1 || updates.rank() < 1 || shape.rank() < 1) ops::fail(op, "a scalar: {}", shapes());
    const std::int64_t depth = indices.rank() > 1 ? indices.shape()[-1] : 1;
    std::vector<std::int64_t> expected = ops::extentsOf(indices.shape());
    if (indices.rank() > 1) expected.pop_back();
    const std::vector<std::int64_t> batch = expected;
    if (depth > shape.rank()) ops::fail(op, "{} coordinates for {} axes: {}", depth, shape.rank(), shapes());
    for (int axis = static_cast<int>(depth); axis < shape.rank(); ++axis) expected.push_back(shape[axis]);
    if (ops::extentsOf(updates.shape()) != expected) {
        ops::fail(op, "updates are not [{}]: {}", fmt::join(expected, ", "), shapes());
    }
    return ops::placesOf(indices, batch, shape, depth, outside(op, shape));
}

/// How often each number comes up in a row of x [rows, n], or the weights' sums.
Tensor count(const char* op, const Tensor& x, const Tensor& weights, std::int64_t size, bool binary, std::int64_t rows,
             const Shape& shape) {
    ops::eachKnown(x, [&](std::int64_t, std::int32_t number) {
        if (number < 0) ops::fail(op, "negative number {} in x {}", number, toString(x.shape()));
    });
    const bool counts = weights.size() == 0 || binary;
    const DType dtype = promote(weights.dtype(), DType::int32);
    Tensor bins = reshape(x, Shape{x.size()});
    if (rows != 1) {
        const std::int64_t n = rows == 0 ? 0 : x.size() / rows;
        const Tensor table = reshape(x, Shape{rows, n});
        const Tensor starts = reshape(range(0, static_cast<double>(rows), 1, DType::int32), Shape{rows, 1}) * Tensor(size);
        const Tensor inside = logicalAnd(table >= 0, less(table, Tensor(size)));
        bins = reshape(where(inside, table + starts, -1), Shape{x.size()});
    }
    const detail::prim::Scatter what{
        .combine = binary ? Combine::last : Combine::sum, .extent = shape.size(), .inner = 1, .count = x.size()};
    const Tensor updates = counts ? Tensor(1) : cast(reshape(weights, Shape{weights.size()}), dtype);
    return cast(ops::record(op, what, shape, updates.dtype(), {bins, updates}), dtype);
}

void expectCounted(const char* op, const Tensor& x, const Tensor& weights, std::int64_t size) {
    ops::expect(op, "x", x, DType::int32);
    if (size < 0) ops::fail(op, "size {}, x {}", size, toString(x.shape()));
    if (weights.size() != 0 && weights.shape() != x.shape()) {
        ops::fail(op, "weights {} for x {}", toString(weights.shape()), toString(x.shape()));
    }
}

}  // namespace

Tensor scatterND(const Tensor& indices, const Tensor& updates, const Shape& shape) {
    const ops::Places places = placesOf("scatterND", indices, updates, shape);
    return scatter("scatterND", places, updates, Combine::sum, shape, nullptr);
}

Tensor tensorScatterUpdate(const Tensor& x, const Tensor& indices, const Tensor& updates) {
    ops::expect("tensorScatterUpdate", "updates", updates, x.dtype());
    const ops::Places places = placesOf("tensorScatterUpdate", indices, updates, x.shape());
    return scatter("tensorScatterUpdate", places, updates, Combine::last, x.shape(), &x);
}

Tensor sparseToDense(const Tensor& indices, const Tensor& values, const Shape& shape, const Tensor& defaultValue) {
    constexpr const char* op = "sparseToDense";
    ops::expect(op, "indices", indices, DType::int32);
    ops::expect(op, "default", defaultValue, values.dtype());
    const auto shapes = [&] {
        return fmt::format("indices {}, values {}, shape {}, default {}", toString(indices.shape()), toString(values.shape()),
                           toString(shape), toString(defaultValue.shape()));
    };
    if (defaultValue.rank() != 0) ops::fail(op, "the default is no scalar: {}", shapes());
    if (indices.rank() > 2) ops::fail(op, "indices of rank {}: {}", indices.rank(), shapes());
    const std::int64_t number = indices.rank() > 0 ? indices.shape()[0] : 1;
    const std::int64_t depth = indices.rank() > 1 ? indices.shape()[1] : 1;
    if (depth != shape.rank()) ops::fail(op, "{} coordinates for {} axes: {}", depth, shape.rank(), shapes());
    if (values.rank() > 1 || (values.rank() == 1 && values.size() != number)) {
        ops::fail(op, "values for {} places: {}", number, shapes());
    }
    const ops::Places places = ops::placesOf(indices, {number}, shape, depth, outside(op, shape));
    return scatter(op, places, values, Combine::last, shape, &defaultValue);
}
Tensor sparseToDense(const Tensor& indices, const Tensor& values, const Shape& shape) {
    const Tensor nothing = values.dtype() == DType::string ? scalar("") : scalar(0, values.dtype());
    return sparseToDense(indices, values, shape, nothing);
}

Tensor unsortedSegmentSum(const Tensor& x, const Tensor& segmentIds, std::int64_t segments) {
    constexpr const char* op = "unsortedSegmentSum";
    ops::expect(op, "segmentIds", segmentIds, DType::int32);
    const auto shapes = [&] { return fmt::format("x {}, segmentIds {}", toString(x.shape()), toString(segmentIds.shape())); };
    if (segments < 0) ops::fail(op, "{} segments: {}", segments, shapes());
    bool fits = segmentIds.rank() <= x.rank();
    for (int axis = 0; fits && axis < segmentIds.rank(); ++axis) fits = x.shape()[axis] == segmentIds.shape()[axis];
    if (!fits) ops::fail(op, "the ids' shape is not that of the first axes: {}", shapes());
    std::vector<std::int64_t> extents{segments};
    detail::prim::Scatter what{.combine = Combine::sum, .extent = segments, .inner = 1, .count = segmentIds.size()};
    for (int axis = segmentIds.rank(); axis < x.rank(); ++axis) {
        extents.push_back(x.shape()[axis]);
        what.inner *= x.shape()[axis];
    }
    const Tensor numbers = cast(x, promote(x.dtype(), DType::int32));
    return ops::record(op, what, ops::shapeOf(op, extents), numbers.dtype(), {segmentIds, numbers});
}

Tensor bincount(const Tensor& x, const Tensor& weights, std::int64_t size) {
    expectCounted("bincount", x, weights, size);
    return count("bincount", x, weights, size, false, 1, ops::shapeOf("bincount", {size}));
}

Tensor denseBincount(const Tensor& x, const Tensor& weights, std::int64_t size, bool binaryOutput) {
    constexpr const char* op = "denseBincount";
    if (x.rank() < 1 || x.rank() > 2) ops::fail(op, "x {} has neither one axis nor two", toString(x.shape()));
    expectCounted(op, x, weights, size);
    const std::int64_t rows = x.rank() == 2 ? x.shape()[0] : 1;
    const Shape shape = x.rank() == 2 ? ops::shapeOf(op, {rows, size}) : ops::shapeOf(op, {size});
    return count(op, x, weights, size, binaryOutput, rows, shape);
}

}  // namespace stile
