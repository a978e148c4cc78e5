#include "stile/ops/image.hpp"

#include "ops/check.hpp"
#include "stile/ops/shape.hpp"

namespace stile::image {
namespace {

Tensor resize(const char* op, const Tensor& x, Pair size, const ResizeOptions& options, bool bilinear) {
    if (x.rank() != 3 && x.rank() != 4) ops::fail(op, "images {} are not of rank 3 or 4", toString(x.shape()));
    if (size.height < 1 || size.width < 1) ops::fail(op, "size {} × {}", size.height, size.width);
    if (options.alignCorners && options.halfPixelCenters) ops::fail(op, "alignCorners and halfPixelCenters exclude each other");
    const Tensor images = x.rank() == 3 ? expandDims(x, 0) : x;
    if (images.shape()[1] == 0 || images.shape()[2] == 0) ops::fail(op, "images {} have no pixels", toString(x.shape()));
    const Shape shape = ops::shapeOf(op, {images.shape()[0], size.height, size.width, images.shape()[3]});
    // Positions are fractions of int32 on the device: a few times the extent before times the one after has to fit.
    constexpr std::int64_t most = std::int64_t{1} << 29;
    if (images.shape()[1] > most / size.height || images.shape()[2] > most / size.width) {
        throw Error(errc::too_large, fmt::format("{}: images {} to {} × {}", op, toString(x.shape()), size.height, size.width));
    }
    const Tensor result = ops::record(op, detail::prim::Resize{bilinear, options.alignCorners, options.halfPixelCenters}, shape,
                                      bilinear ? DType::float32 : x.dtype(), {images});
    return x.rank() == 3 ? squeeze(result, 0) : result;
}

}  // namespace

Tensor resizeBilinear(const Tensor& images, Pair size, const ResizeOptions& options) {
    return resize("resizeBilinear", images, size, options, true);
}
Tensor resizeNearestNeighbor(const Tensor& images, Pair size, const ResizeOptions& options) {
    return resize("resizeNearestNeighbor", images, size, options, false);
}

}  // namespace stile::image
