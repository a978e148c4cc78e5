#include "stile/ops/pool.hpp"

#include "ops/check.hpp"
#include "ops/window.hpp"
#include "stile/ops/shape.hpp"

namespace stile {
namespace {

using Kind = detail::prim::Pooling;

void expectNumbers(const char* op, const Tensor& x, Kind kind) {
    if (x.dtype() != DType::boolean && (kind != Kind::average || x.dtype() == DType::float32)) return;
    throw Error(errc::wrong_dtype, fmt::format("{}: x {} is {}", op, toString(x.shape()), name(x.dtype())));
}

ops::Sliding slide(const char* op, const Shape& images, Pair window, const PoolOptions& o) {
    ops::expectStridesOrDilations(op, o.strides, o.dilations);
    return ops::slide(op, images, window, o.strides, o.dilations, o.padding, o.rounding);
}

Tensor record(const char* op, const Tensor& images, const ops::Sliding& s, Kind kind) {
    const bool place = kind == Kind::place || kind == Kind::placeInBatch;
    const Shape shape = ops::shapeOf(op, {images.shape()[0], s.height, s.width, images.shape()[3]});
    return ops::record(op, detail::prim::Pool{s.window, kind}, shape, place ? DType::int32 : images.dtype(), {images});
}

Tensor pool(const char* op, const Tensor& x, Pair window, const PoolOptions& options, Kind kind) {
    expectNumbers(op, x, kind);
    const ops::Arranged images = ops::arrange(op, x, 4, DataFormat::nhwc);
    return images.restore(record(op, images.x, slide(op, images.x.shape(), window, options), kind));
}

/// A maximum of maxima, and a mean of means over equally many values: first over each plane, then along the depth.
Tensor pool3d(const char* op, const Tensor& x, Triple window, const Pool3dOptions& options, Kind kind) {
    expectNumbers(op, x, kind);
    const ops::Arranged volumes = ops::arrange(op, x, 5, options.format);
    ops::expectStridesOrDilations(op, options.strides, options.dilations);
    const Shape& v = volumes.x.shape();
    const ops::Sliding3d s = ops::slide(op, v, window, options.strides, options.dilations, options.padding, options.rounding);
    const Tensor planes = record(op, reshape(volumes.x, {v[0] * v[1], v[2], v[3], v[4]}), s.plane, kind);
    const std::int64_t pixels = s.plane.height * s.plane.width;
    const ops::Sliding along{.window = {.height = s.window, .strideY = s.stride, .dilationY = s.dilation, .top = s.front},
                             .height = s.depth,
                             .width = pixels};
    const Tensor result = record(op, reshape(planes, {v[0], v[1], pixels, v[4]}), along, kind);
    return volumes.restore(reshape(result, {v[0], s.depth, s.plane.height, s.plane.width, v[4]}));
}

}  // namespace

Tensor maxPool(const Tensor& x, Pair window, const PoolOptions& options) {
    return pool("maxPool", x, window, options, Kind::max);
}
Tensor avgPool(const Tensor& x, Pair window, const PoolOptions& options) {
    return pool("avgPool", x, window, options, Kind::average);
}
Tensor pool(const Tensor& x, Pair window, Pooling kind, const PoolOptions& options) {
    return pool("pool", x, window, options, kind == Pooling::max ? Kind::max : Kind::average);
}
Tensor maxPool3d(const Tensor& x, Triple window, const Pool3dOptions& options) {
    return pool3d("maxPool3d", x, window, options, Kind::max);
}
Tensor avgPool3d(const Tensor& x, Triple window, const Pool3dOptions& options) {
    return pool3d("avgPool3d", x, window, options, Kind::average);
}

MaxPoolWithArgmax maxPoolWithArgmax(const Tensor& x, Pair window, const PoolOptions& options, bool includeBatchInIndex) {
    constexpr const char* op = "maxPoolWithArgmax";
    expectNumbers(op, x, Kind::max);
    if (x.rank() != 4) ops::fail(op, "x {} is not of rank 4", toString(x.shape()));
    const ops::Sliding s = slide(op, x.shape(), window, options);
    return {record(op, x, s, Kind::max), record(op, x, s, includeBatchInIndex ? Kind::placeInBatch : Kind::place)};
}

}  // namespace stile
