#include <algorithm>

#include "ops/check.hpp"
#include "ops/window.hpp"
#include "stile/create.hpp"
#include "stile/ops/conv.hpp"
#include "stile/ops/elementwise.hpp"
#include "stile/ops/shape.hpp"

// A convolution over volumes is one over their planes: the planes that meet under the filter lie behind each other in the channels.
namespace stile {
namespace {

/// How the planes are picked: `first` of them before the input for a negative number, then every `stride`-th; under each position
/// `window` planes, `dilation` apart.
struct Planes {
    std::int64_t positions, window, stride, dilation, first;
};

/// x [batch, depth, height, width, channels] → [batch · positions, height, width, window · channels].
Tensor gatherPlanes(const char* op, const Tensor& x, const Planes& p) {
    const Shape& s = x.shape();
    const std::int64_t before = std::max<std::int64_t>(0, -p.first);
    const std::int64_t reach = (p.positions - 1) * p.stride + (p.window - 1) * p.dilation + 1;
    const std::int64_t after = std::max<std::int64_t>(0, p.first + reach - s[1]);
    const Tensor padded = before > 0 || after > 0 ? pad(x, {{0, 0}, {before, after}, {0, 0}, {0, 0}, {0, 0}}) : x;
    const std::int64_t pixels = s[2] * s[3], channels = s[4], plane = pixels * channels, depth = padded.shape()[1];
    const Shape shape = ops::shapeOf(op, {s[0] * p.positions, s[2], s[3], p.window * channels});
    return ops::record(op,
                       detail::prim::Strided{.extents = {s[0], p.positions, pixels, p.window, channels},
                                             .strides = {depth * plane, p.stride * plane, channels, p.dilation * plane, 1},
                                             .offset = (p.first + before) * plane},
                       shape, x.dtype(), {padded});
}

/// [depth, height, width, in, out] → [height, width, depth · in, out].
Tensor deepChannels(const Tensor& filter) {
    const Tensor moved = transpose(filter, {1, 2, 0, 3, 4});
    const Shape& s = moved.shape();
    return reshape(moved, {s[0], s[1], s[2] * s[3], s[4]});
}

/// Puts `stride - 1` planes of zeros behind each plane.
Tensor spreadPlanes(const Tensor& x, std::int64_t stride) {
    if (stride == 1) return x;
    const Shape& s = x.shape();
    const Tensor apart = pad(reshape(x, {s[0], s[1], 1, s[2] * s[3] * s[4]}), {{0, 0}, {0, 0}, {0, stride - 1}, {0, 0}});
    return reshape(apart, {s[0], s[1] * stride, s[2], s[3], s[4]});
}

struct Volumes {
    ops::Arranged x;
    Shape input;  ///< of the convolution, or of the one whose transpose this is
    ops::Sliding3d sliding;
};

Volumes prepare(const char* op, const Tensor& x, const Tensor& filter, const Shape* outputShape, const Conv3dOptions& o) {
    ops::expect(op, "x", x, DType::float32);
    ops::expect(op, "filter", filter, DType::float32);
    if (filter.rank() != 5) ops::fail(op, "filter {} is not of rank 5", toString(filter.shape()));
    Volumes v{.x = ops::arrange(op, x, 5, o.format), .input = {}, .sliding = {}};
    v.input = outputShape ? ops::arrange(op, *outputShape, 5, o.format) : v.x.x.shape();
    const std::int64_t channels = v.x.x.shape()[4], taken = filter.shape()[outputShape ? 4 : 3];
    if (channels != taken) {
        ops::fail(op, "x {} has {} channels, filter {} takes {}", toString(x.shape()), channels, toString(filter.shape()),
                  taken);
    }
    ops::expectStridesOrDilations(op, o.strides, o.dilations);
    const Triple window(filter.shape()[0], filter.shape()[1], filter.shape()[2]);
    v.sliding = ops::slide(op, v.input, window, o.strides, o.dilations, o.padding, o.rounding);
    return v;
}

}  // namespace

Tensor conv3d(const Tensor& x, const Tensor& filter, const Conv3dOptions& options) {
    constexpr const char* op = "conv3d";
    const auto [volumes, input, s] = prepare(op, x, filter, nullptr, options);
    const std::int64_t batch = input[0], out = filter.shape()[4];
    const Shape shape = ops::shapeOf(op, {batch, s.depth, s.plane.height, s.plane.width, out});
    if (shape.size() == 0) return volumes.restore(zeros(shape));
    const Tensor planes = gatherPlanes(op, volumes.x, {s.depth, s.window, s.stride, s.dilation, -s.front});
    const Tensor result =
        ops::record(op, detail::prim::Conv2d{.window = s.plane.window}, {batch * s.depth, s.plane.height, s.plane.width, out},
                    DType::float32, {planes, deepChannels(filter)});
    return volumes.restore(reshape(result, shape));
}

Tensor conv3dTranspose(const Tensor& x, const Tensor& filter, const Shape& outputShape, const Conv3dOptions& options) {
    constexpr const char* op = "conv3dTranspose";
    const auto [volumes, output, s] = prepare(op, x, filter, &outputShape, options);
    const Shape& given = volumes.x.shape();
    if (outputShape.rank() != x.rank() || output[0] != given[0] || output[4] != filter.shape()[3] || given[1] < s.depth ||
        given[2] < s.plane.height || given[3] < s.plane.width) {
        ops::fail(op, "x {} and filter {} to outputShape {}, of which a convolution has {} × {} × {} positions",
                  toString(x.shape()), toString(filter.shape()), toString(outputShape), s.depth, s.plane.height, s.plane.width);
    }
    if (output.size() == 0) return zeros(outputShape);
    const Tensor taken = slice(volumes.x, {}, {given[0], s.depth, s.plane.height, s.plane.width, given[4]});
    // Plane d of the result is reached by tap k from plane d + front - k · dilation of the spread input: with the taps reversed,
    // these go upwards.
    const std::int64_t last = (s.window - 1) * s.dilation;
    const Tensor planes = gatherPlanes(op, spreadPlanes(taken, s.stride), {output[1], s.window, 1, s.dilation, s.front - last});
    const Tensor flipped = deepChannels(transpose(reverse(filter, 0), {0, 1, 2, 4, 3}));
    const Tensor result =
        ops::record(op, detail::prim::Conv2d{.window = s.plane.window, .transposed = true},
                    {output[0] * output[1], output[2], output[3], output[4]}, DType::float32, {planes, flipped});
    return volumes.restore(reshape(result, output));
}

}  // namespace stile
