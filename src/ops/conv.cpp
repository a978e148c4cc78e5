#include "stile/ops/conv.hpp"

#include "ops/check.hpp"
#include "ops/window.hpp"
#include "stile/ops/shape.hpp"

namespace stile {
namespace {

void expectFilter(const char* op, const Tensor& x, const Tensor& filter, int rank) {
    ops::expect(op, "x", x, DType::float32);
    ops::expect(op, "filter", filter, DType::float32);
    if (filter.rank() != rank) ops::fail(op, "filter {} is not of rank {}", toString(filter.shape()), rank);
}

void expectChannels(const char* op, const Tensor& x, std::int64_t channels, const Tensor& filter, std::int64_t taken) {
    if (channels == taken) return;
    ops::fail(op, "x {} has {} channels, filter {} takes {}", toString(x.shape()), channels, toString(filter.shape()), taken);
}

ops::Sliding slide(const char* op, const Shape& images, const Tensor& filter, const ConvOptions& o) {
    return ops::slide(op, images, Pair(filter.shape()[0], filter.shape()[1]), o.strides, o.dilations, o.padding, o.rounding);
}

/// Checks what the convolutions over images share, brings the images to NHWC, and takes the result back.
template <class Record>
Tensor convolve(const char* op, const Tensor& x, const Tensor& filter, const ConvOptions& options, Record record) {
    expectFilter(op, x, filter, 4);
    const ops::Arranged images = ops::arrange(op, x, 4, options.format);
    expectChannels(op, x, images.x.shape()[3], filter, filter.shape()[2]);
    ops::expectStridesOrDilations(op, options.strides, options.dilations);
    return images.restore(record(images.x, slide(op, images.x.shape(), filter, options)));
}

Tensor convolve(const char* op, const Tensor& x, const Tensor& filter, const ConvOptions& options) {
    return convolve(op, x, filter, options, [&](const Tensor& images, const ops::Sliding& s) {
        const Shape shape = ops::shapeOf(op, {images.shape()[0], s.height, s.width, filter.shape()[3]});
        return ops::record(op, detail::prim::Conv2d{.window = s.window}, shape, DType::float32, {images, filter});
    });
}

Tensor convolveDepthwise(const char* op, const Tensor& x, const Tensor& filter, const ConvOptions& options) {
    return convolve(op, x, filter, options, [&](const Tensor& images, const ops::Sliding& s) {
        const std::int64_t channels = filter.shape()[2] * filter.shape()[3];
        const Shape shape = ops::shapeOf(op, {images.shape()[0], s.height, s.width, channels});
        return ops::record(op, detail::prim::DepthwiseConv2d{s.window}, shape, DType::float32, {images, filter});
    });
}

}  // namespace

Tensor conv1d(const Tensor& x, const Tensor& filter, const Conv1dOptions& options) {
    constexpr const char* op = "conv1d";
    expectFilter(op, x, filter, 3);
    // Lines are images of one row.
    const ops::Arranged lines = ops::arrange(op, x, 3, options.format);
    Padding padding = options.padding;
    if (padding.kind == Padding::Kind::amounts) padding = Padding::amounts(padding.left, padding.right);
    const Tensor result = convolve(
        op, expandDims(lines.x, 1), expandDims(filter, 0),
        {.strides = {1, options.stride}, .padding = padding, .dilations = {1, options.dilation}, .rounding = options.rounding});
    return lines.restore(squeeze(result, 1));
}

Tensor conv2d(const Tensor& x, const Tensor& filter, const ConvOptions& options) {
    return convolve("conv2d", x, filter, options);
}

Tensor conv2dTranspose(const Tensor& x, const Tensor& filter, const Shape& outputShape, const ConvOptions& options) {
    constexpr const char* op = "conv2dTranspose";
    expectFilter(op, x, filter, 4);
    const ops::Arranged images = ops::arrange(op, x, 4, options.format);
    const Shape shape = ops::arrange(op, outputShape, 4, options.format);
    expectChannels(op, x, images.x.shape()[3], filter, filter.shape()[3]);
    ops::expectStridesOrDilations(op, options.strides, options.dilations);
    const ops::Sliding s = slide(op, shape, filter, options);
    const Shape& given = images.x.shape();
    if (outputShape.rank() != x.rank() || shape[0] != given[0] || shape[3] != filter.shape()[2] || given[1] < s.height ||
        given[2] < s.width) {
        ops::fail(op, "x {} and filter {} to outputShape {}, of which a convolution has {} × {} positions", toString(x.shape()),
                  toString(filter.shape()), toString(outputShape), s.height, s.width);
    }
    Tensor taken = images.x;
    if (given[1] > s.height || given[2] > s.width) taken = slice(taken, {}, {given[0], s.height, s.width, given[3]});
    return images.restore(ops::record(op, detail::prim::Conv2d{.window = s.window, .transposed = true}, shape, DType::float32,
                                      {taken, transpose(filter, {0, 1, 3, 2})}));
}

Tensor depthwiseConv2d(const Tensor& x, const Tensor& filter, const ConvOptions& options) {
    return convolveDepthwise("depthwiseConv2d", x, filter, options);
}

Tensor separableConv2d(const Tensor& x, const Tensor& depthwiseFilter, const Tensor& pointwiseFilter,
                       const ConvOptions& options) {
    constexpr const char* op = "separableConv2d";
    expectFilter(op, x, depthwiseFilter, 4);
    expectFilter(op, x, pointwiseFilter, 4);
    const std::int64_t between = depthwiseFilter.shape()[2] * depthwiseFilter.shape()[3];
    const Shape& pointwise = pointwiseFilter.shape();
    if (pointwise[0] != 1 || pointwise[1] != 1 || pointwise[2] != between) {
        ops::fail(op, "pointwiseFilter {} is not [1, 1, {}, …] after depthwiseFilter {}", toString(pointwise), between,
                  toString(depthwiseFilter.shape()));
    }
    const Tensor deep = convolveDepthwise(op, x, depthwiseFilter, options);
    return convolve(op, deep, pointwiseFilter, {.format = options.format});
}

Tensor dilation2d(const Tensor& x, const Tensor& filter, const ConvOptions& options) {
    constexpr const char* op = "dilation2d";
    if (x.dtype() == DType::boolean) ops::expect(op, "x", x, DType::float32);
    ops::expect(op, "filter", filter, x.dtype());
    if (filter.rank() != 3) ops::fail(op, "filter {} is not of rank 3", toString(filter.shape()));
    const ops::Arranged images = ops::arrange(op, x, 4, options.format);
    expectChannels(op, x, images.x.shape()[3], filter, filter.shape()[2]);
    const ops::Sliding s = slide(op, images.x.shape(), filter, options);
    const Shape shape = ops::shapeOf(op, {images.x.shape()[0], s.height, s.width, images.x.shape()[3]});
    return images.restore(
        ops::record(op, detail::prim::Pool{s.window, detail::prim::Pooling::dilation}, shape, x.dtype(), {images.x, filter}));
}

}  // namespace stile
