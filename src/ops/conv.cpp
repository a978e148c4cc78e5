#include "stile/ops/conv.hpp"

#include "ops/check.hpp"
#include "ops/window.hpp"
#include "stile/ops/shape.hpp"

namespace stile {
namespace {

/// Checks what both convolutions share, brings the images to NHWC, and takes the result back to the caller's rank and order.
template <class Record>
Tensor convolve(const char* op, const Tensor& x, const Tensor& filter, const ConvOptions& options, Record record) {
    ops::expect(op, "x", x, DType::float32);
    ops::expect(op, "filter", filter, DType::float32);
    if (x.rank() != 3 && x.rank() != 4) ops::fail(op, "x {} is not of rank 3 or 4", toString(x.shape()));
    if (filter.rank() != 4) ops::fail(op, "filter {} is not of rank 4", toString(filter.shape()));
    const bool single = x.rank() == 3, channelsFirst = options.format == DataFormat::nchw;
    Tensor images = single ? expandDims(x, 0) : x;
    if (channelsFirst) images = transpose(images, {0, 2, 3, 1});
    if (images.shape()[3] != filter.shape()[2]) {
        ops::fail(op, "x {} has {} channels, filter {} takes {}", toString(x.shape()), images.shape()[3],
                  toString(filter.shape()), filter.shape()[2]);
    }
    const ops::Sliding sliding = ops::slide(op, images.shape(), {filter.shape()[0], filter.shape()[1]}, options.strides,
                                            options.dilations, options.padding, options.rounding);
    Tensor result = record(images, sliding);
    if (channelsFirst) result = transpose(result, {0, 3, 1, 2});
    return single ? squeeze(result, 0) : result;
}

}  // namespace

Tensor conv2d(const Tensor& x, const Tensor& filter, const ConvOptions& options) {
    return convolve("conv2d", x, filter, options, [&](const Tensor& images, const ops::Sliding& s) {
        const Shape shape = ops::shapeOf("conv2d", {images.shape()[0], s.height, s.width, filter.shape()[3]});
        return ops::record("conv2d", detail::prim::Conv2d{s.window}, shape, DType::float32, {images, filter});
    });
}

Tensor depthwiseConv2d(const Tensor& x, const Tensor& filter, const ConvOptions& options) {
    return convolve("depthwiseConv2d", x, filter, options, [&](const Tensor& images, const ops::Sliding& s) {
        const std::int64_t channels = filter.shape()[2] * filter.shape()[3];
        const Shape shape = ops::shapeOf("depthwiseConv2d", {images.shape()[0], s.height, s.width, channels});
        return ops::record("depthwiseConv2d", detail::prim::DepthwiseConv2d{s.window}, shape, DType::float32, {images, filter});
    });
}

}  // namespace stile
