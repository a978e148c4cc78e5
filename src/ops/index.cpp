#include "stile/ops/index.hpp"

#include "ops/check.hpp"

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

}  // namespace stile
