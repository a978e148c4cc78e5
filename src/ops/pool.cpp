#include "stile/ops/pool.hpp"

#include "ops/check.hpp"
#include "ops/window.hpp"
#include "stile/ops/shape.hpp"

namespace stile {
namespace {

Tensor pool(const char* op, const Tensor& x, Pair window, const PoolOptions& options, bool average) {
    if (x.dtype() == DType::boolean || (average && x.dtype() != DType::float32)) {
        throw Error(errc::wrong_dtype, fmt::format("{}: x {} is {}", op, toString(x.shape()), name(x.dtype())));
    }
    if (x.rank() != 3 && x.rank() != 4) ops::fail(op, "x {} is not of rank 3 or 4", toString(x.shape()));
    const Tensor images = x.rank() == 3 ? expandDims(x, 0) : x;
    const ops::Sliding s = ops::slide(op, images.shape(), window, options.strides, 1, options.padding, options.rounding);
    const Shape shape = ops::shapeOf(op, {images.shape()[0], s.height, s.width, images.shape()[3]});
    const Tensor result = ops::record(op, detail::prim::Pool{s.window, average}, shape, x.dtype(), {images});
    return x.rank() == 3 ? squeeze(result, 0) : result;
}

}  // namespace

Tensor maxPool(const Tensor& x, Pair window, const PoolOptions& options) { return pool("maxPool", x, window, options, false); }
Tensor avgPool(const Tensor& x, Pair window, const PoolOptions& options) { return pool("avgPool", x, window, options, true); }

}  // namespace stile
