#include "stile/ops/index.hpp"

#include "ops/check.hpp"
#include "ops/indices.hpp"
#include "stile/ops/shape.hpp"

namespace stile {

Tensor gather(const Tensor& x, const Tensor& indices, int axis, int batchDims) {
    ops::expect("gather", "indices", indices, DType::int32);
    const int at = ops::axisOf("gather", x.shape(), axis);
    const int batches = batchDims < 0 ? batchDims + indices.rank() : batchDims;
    const auto shapes = [&] {
        return fmt::format("x {}, indices {}, axis {}", toString(x.shape()), toString(indices.shape()), axis);
    };
    if (batches < 0 || batches > at || batches > indices.rank()) ops::fail("gather", "batchDims {}: {}", batchDims, shapes());
    detail::prim::Gather what;
    std::vector<std::int64_t> extents;
    for (int i = 0; i < batches; ++i) {
        if (x.shape()[i] != indices.shape()[i]) ops::fail("gather", "batch axis {} differs: {}", i, shapes());
        what.batch *= x.shape()[i];
        extents.push_back(x.shape()[i]);
    }
    for (int i = batches; i < at; ++i) {
        what.outer *= x.shape()[i];
        extents.push_back(x.shape()[i]);
    }
    for (int i = batches; i < indices.rank(); ++i) {
        what.picks *= indices.shape()[i];
        extents.push_back(indices.shape()[i]);
    }
    what.extent = x.shape()[at];
    for (int i = at + 1; i < x.rank(); ++i) {
        what.inner *= x.shape()[i];
        extents.push_back(x.shape()[i]);
    }
    return ops::record("gather", what, ops::shapeOf("gather", extents), x.dtype(), {x, indices});
}

Tensor gatherND(const Tensor& x, const Tensor& indices) {
    ops::expect("gatherND", "indices", indices, DType::int32);
    const auto shapes = [&] { return fmt::format("x {}, indices {}", toString(x.shape()), toString(indices.shape())); };
    if (x.rank() < 1 || indices.rank() < 1) ops::fail("gatherND", "a scalar: {}", shapes());
    const std::int64_t depth = indices.shape()[-1];
    if (depth > x.rank()) ops::fail("gatherND", "{} coordinates for {} axes: {}", depth, x.rank(), shapes());
    std::vector<std::int64_t> extents = ops::extentsOf(indices.shape());
    extents.pop_back();
    const ops::Places places = ops::placesOf(indices, extents, x.shape(), depth, [](std::int32_t, int) {});
    detail::prim::Gather what{.extent = places.blocks, .picks = places.rows.size()};
    for (const std::int64_t extent : places.block) what.inner *= extent;
    extents.insert(extents.end(), places.block.begin(), places.block.end());
    return ops::record("gatherND", what, ops::shapeOf("gatherND", extents), x.dtype(), {x, places.rows});
}

}  // namespace stile
