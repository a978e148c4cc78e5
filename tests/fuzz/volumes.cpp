#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <stile/ops.hpp>

#include "graph.hpp"
#include "picture.hpp"

// Windows over lines and volumes, transposed convolutions, normalization, warps.
namespace fuzz {
namespace {

using stile::Padding;
using stile::Pair;
using stile::Shape;
using stile::Tensor;
using stile::Triple;
using Operands = std::vector<Operand>;

constexpr double ulp = 1.2e-7;

/// Of a sum of so many products of elements of both.
double products(const Operands& x, double count) {
    const double product = x[0].value.most() * x[1].value.most();
    const double apart = x[0].value.most() * x[1].error + x[1].value.most() * x[0].error + x[0].error * x[1].error;
    const bool stays = apart == 0 && x[0].value.onGrid() && x[1].value.onGrid() && count * product <= 256;
    return count * apart + (stays ? 0 : count * count * ulp * product);
}
Padding named(Draw& draw) { return draw.oneIn(2) ? Padding::same() : Padding::valid(); }
std::string text(const Padding& p) { return p.kind == Padding::Kind::same ? "same" : "valid"; }

Draft conv1d(Draw& draw, const Operands& x) {
    if (!plain(x)) return {};
    const std::int64_t taps = draw.between(1, 3), channels = draw.between(1, 2), outputs = draw.between(1, 3);
    const std::int64_t length = x[0].value.shape.size() / channels;
    if (length < taps || taps * channels * outputs > x[1].value.shape.size()) return {};
    const stile::Conv1dOptions options{.stride = draw.between(1, 3), .padding = named(draw)};
    return Call{.arguments = fmt::format("{} by {}, {} taps to {}, stride {}, {}", length, channels, taps, outputs,
                                         options.stride, text(options.padding)),
                .run =
                    [=](const Tensors& t) {
                        return Tensors{
                            stile::conv1d(shaped(t[0], {length, channels}), shaped(t[1], {taps, channels, outputs}), options)};
                    },
                .error = products(x, static_cast<double>(taps * channels))};
}
Draft conv3d(Draw& draw, const Operands& x) {
    if (!plain(x) || x[0].value.shape.size() < 8) return {};
    const std::int64_t depth = x[0].value.shape.size() / 4, taps = draw.between(1, std::min<std::int64_t>(2, depth)),
                       outputs = draw.between(1, 2);
    if (taps * 4 * outputs > x[1].value.shape.size()) return {};
    const stile::Conv3dOptions options{.strides = Triple(draw.between(1, 2), 1, 1), .padding = named(draw)};
    return Call{
        .arguments = fmt::format("{} by 2 by 2, filter {} by 2 by 2 to {}, stride {}, {}", depth, taps, outputs,
                                 options.strides.depth, text(options.padding)),
        .run =
            [=](const Tensors& t) {
                return Tensors{stile::conv3d(shaped(t[0], {depth, 2, 2, 1}), shaped(t[1], {taps, 2, 2, 1, outputs}), options)};
            },
        .error = products(x, static_cast<double>(taps * 4))};
}
Draft conv2dTranspose(Draw& draw, const Operands& x) {
    if (!plain(x)) return {};
    const Picture picture(draw, x[0].value.shape.size());
    const Pair window(draw.between(1, 3), draw.between(1, 3)), strides(draw.between(1, 2), draw.between(1, 2));
    const std::int64_t outputs = draw.between(1, 2);
    if (window.height * window.width * outputs * picture.channels > x[1].value.shape.size()) return {};
    const std::int64_t height = (picture.height - 1) * strides.height + window.height,
                       width = (picture.width - 1) * strides.width + window.width;
    return Call{.arguments = fmt::format("{}, filter {} by {} to {}, strides {} by {}", picture.text(), window.height,
                                         window.width, outputs, strides.height, strides.width),
                .run =
                    [=](const Tensors& t) {
                        return Tensors{stile::conv2dTranspose(
                            picture.of(t[0]), shaped(t[1], {window.height, window.width, outputs, picture.channels}),
                            Shape(1, height, width, outputs), {.strides = strides})};
                    },
                .error = products(x, static_cast<double>(window.height * window.width * picture.channels))};
}
Draft dilation2d(Draw& draw, const Operands& x) {
    if (!plain(x)) return {};
    const Picture picture(draw, x[0].value.shape.size());
    const Pair window(draw.between(1, std::min<std::int64_t>(3, picture.height)),
                      draw.between(1, std::min<std::int64_t>(3, picture.width)));
    if (window.height * window.width * picture.channels > x[1].value.shape.size()) return {};
    const stile::ConvOptions options{.strides = Pair(draw.between(1, 2), draw.between(1, 2)), .padding = named(draw)};
    return Call{.arguments = fmt::format("{}, filter {} by {}, strides {} by {}, {}", picture.text(), window.height,
                                         window.width, options.strides.height, options.strides.width, text(options.padding)),
                .run =
                    [=](const Tensors& t) {
                        return Tensors{stile::dilation2d(
                            picture.of(t[0]), shaped(t[1], {window.height, window.width, picture.channels}), options)};
                    },
                .error = x[0].error + x[1].error};
}
template <bool average>
Draft pool3d(Draw& draw, const Operands& x) {
    if (!plain(x) || x[0].value.shape.size() < 8) return {};
    const std::int64_t depth = x[0].value.shape.size() / 4;
    const Triple window(draw.between(1, std::min<std::int64_t>(3, depth)), draw.between(1, 2), draw.between(1, 2));
    const stile::Pool3dOptions options{.strides = Triple(draw.between(1, 2)), .padding = named(draw)};
    return Call{
        .arguments = fmt::format("{} by 2 by 2, window {} by {} by {}, strides {}, {}", depth, window.depth, window.height,
                                 window.width, options.strides.depth, text(options.padding)),
        .run =
            [=](const Tensors& t) {
                const Tensor volume = shaped(t[0], {depth, 2, 2, 1});
                return Tensors{average ? stile::avgPool3d(volume, window, options) : stile::maxPool3d(volume, window, options)};
            },
        .error = x[0].error + (average ? 12 * ulp * x[0].value.most() : 0)};
}
Draft argmaxPool(Draw& draw, const Operands& x) {
    if (!plain(x) || x[0].error > 0) return {};
    const Picture picture(draw, x[0].value.shape.size());
    const Pair window(draw.between(1, std::min<std::int64_t>(3, picture.height)),
                      draw.between(1, std::min<std::int64_t>(3, picture.width)));
    const stile::PoolOptions options{.strides = Pair(draw.between(1, 3)), .padding = named(draw)};
    return Call{.arguments = fmt::format("{}, window {} by {}, strides {}, {}", picture.text(), window.height, window.width,
                                         options.strides.height, text(options.padding)),
                .run =
                    [=](const Tensors& t) {
                        const stile::MaxPoolWithArgmax y = stile::maxPoolWithArgmax(picture.of(t[0]), window, options);
                        return Tensors{y.result, y.indexes};
                    },
                .continuous = false};
}
/// With statistics that are well away from 0.
Draft batchNorm(Draw& draw, const Operands& x) {
    if (!plain(x) || x[0].value.rank() == 0) return {};
    const float mean = static_cast<float>(draw.between(-4, 4)) / 4, variance = static_cast<float>(draw.between(4, 16)) / 8;
    return Call{.arguments = fmt::format("{}, {}", mean, variance),
                .run = [=](const Tensors& t) { return Tensors{stile::batchNorm(t[0], Tensor(mean), Tensor(variance))}; },
                .error = 1.5 * x[0].error + 8 * ulp * (x[0].value.most() + 1),
                .ulps = 8};
}
Draft moments(Draw& draw, const Operands& x) {
    if (!plain(x) || x[0].value.rank() == 0) return {};
    const auto axis = static_cast<int>(draw.between(0, x[0].value.rank() - 1));
    const double top = x[0].value.most(), count = static_cast<double>(x[0].value.shape[axis]);
    return Call{.arguments = fmt::format("{}", axis),
                .run =
                    [axis](const Tensors& t) {
                        const stile::Moments m = stile::moments(t[0], axis);
                        return Tensors{m.mean, m.variance};
                    },
                .error = (1 + 4 * top) * (x[0].error + count * ulp * top)};
}
Draft localResponse(Draw& draw, const Operands& x) {
    if (!plain(x) || x[0].value.most() > 8) return {};
    const Picture picture(draw, x[0].value.shape.size());
    const std::int64_t radius = draw.between(0, 3);
    return Call{
        .arguments = fmt::format("{}, radius {}", picture.text(), radius),
        .run =
            [=](const Tensors& t) {
                return Tensors{stile::localResponseNormalization(picture.of(t[0]), {.depthRadius = radius, .alpha = 0.25F})};
            },
        .error = 12 * x[0].error,
        .ulps = 32};
}
Draft logSoftmax(Draw& draw, const Operands& x) {
    if (!plain(x) || x[0].value.rank() == 0) return {};
    const auto axis = static_cast<int>(draw.between(-x[0].value.rank(), x[0].value.rank() - 1));
    return Call{.arguments = fmt::format("{}", axis),
                .run = [axis](const Tensors& t) { return Tensors{stile::logSoftmax(t[0], axis)}; },
                .error = 2 * x[0].error + 4 * ulp * x[0].value.most(),
                .ulps = 32};
}
Draft flip(Draw& draw, const Operands& x) {
    if (!plain(x)) return {};
    const Picture picture(draw, x[0].value.shape.size());
    return Call{.arguments = picture.text(),
                .run = [=](const Tensors& t) { return Tensors{stile::image::flipLeftRight(picture.of(t[0]))}; },
                .error = x[0].error,
                .ulps = 0};
}

constexpr std::array operations{
    Operation{"conv1d", 2, conv1d},
    Operation{"conv3d", 2, conv3d},
    Operation{"conv2dTranspose", 2, conv2dTranspose},
    Operation{"dilation2d", 2, dilation2d},
    Operation{"maxPool3d", 1, pool3d<false>},
    Operation{"avgPool3d", 1, pool3d<true>},
    Operation{"maxPoolWithArgmax", 1, argmaxPool},
    Operation{"batchNorm", 1, batchNorm},
    Operation{"moments", 1, moments},
    Operation{"localResponseNormalization", 1, localResponse},
    Operation{"logSoftmax", 1, logSoftmax},
    Operation{"flipLeftRight", 1, flip},
};

}  // namespace

std::span<const Operation> volumes() { return operations; }

}  // namespace fuzz
