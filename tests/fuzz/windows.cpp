#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <stile/ops.hpp>

#include "graph.hpp"
#include "picture.hpp"

// What slides over images: the operands are any float32 tensors, brought into an image's shape.
namespace fuzz {
namespace {

using stile::Padding;
using stile::Pair;
using stile::Tensor;
using Operands = std::vector<Operand>;

constexpr double ulp = 1.2e-7;

Padding padding(Draw& draw, Pair window) {
    if (draw.oneIn(2)) return draw.oneIn(2) ? Padding::same() : Padding::valid();
    const auto some = [&](std::int64_t size) { return draw.between(0, std::min<std::int64_t>(2, size - 1)); };
    const std::int64_t top = some(window.height), bottom = some(window.height), left = some(window.width),
                       right = some(window.width);
    return Padding::amounts(top, bottom, left, right);
}
std::string text(const Padding& p) {
    return p.kind != Padding::Kind::amounts ? (p.kind == Padding::Kind::same ? "same" : "valid")
                                            : fmt::format("{}+{} by {}+{}", p.top, p.bottom, p.left, p.right);
}

template <bool average>
Draft pool(Draw& draw, const Operands& x) {
    if (!plain(x)) return {};
    const Picture image(draw, x[0].value.shape.size());
    const Pair window(draw.between(1, std::min<std::int64_t>(3, image.height)),
                      draw.between(1, std::min<std::int64_t>(3, image.width)));
    const Pair strides(draw.between(1, 3), draw.between(1, 3));
    const Padding pads = padding(draw, window);
    stile::PoolOptions options{.strides = strides, .padding = pads};
    if (pads.kind == Padding::Kind::amounts) options.rounding = stile::Rounding::floor;
    return Call{.arguments = fmt::format("{}, window {} by {}, strides {} by {}, {}", image.text(), window.height, window.width,
                                         strides.height, strides.width, text(pads)),
                .run =
                    [=](const Tensors& t) {
                        return Tensors{average ? stile::avgPool(image.of(t[0]), window, options)
                                               : stile::maxPool(image.of(t[0]), window, options)};
                    },
                .error = x[0].error + (average ? 9 * ulp * x[0].value.most() : 0)};
}

template <bool depthwise>
Draft convolution(Draw& draw, const Operands& x) {
    if (!plain(x)) return {};
    const Picture image(draw, x[0].value.shape.size());
    const Pair window(draw.between(1, std::min<std::int64_t>(3, image.height)),
                      draw.between(1, std::min<std::int64_t>(3, image.width)));
    const std::int64_t outputs = draw.between(1, 3), taps = window.height * window.width;
    if (taps * image.channels * outputs > x[1].value.shape.size()) return {};
    const bool spread = draw.oneIn(4) && window.height * 2 <= image.height + 1 && window.width * 2 <= image.width + 1;
    const Padding pads = padding(draw, window);
    stile::ConvOptions options{.strides = spread ? Pair(1) : Pair(draw.between(1, 2), draw.between(1, 2)),
                               .padding = pads,
                               .dilations = spread ? 2 : 1};
    if (pads.kind == Padding::Kind::amounts) options.rounding = stile::Rounding::floor;
    const double count = static_cast<double>(taps * (depthwise ? 1 : image.channels));
    const double product = x[0].value.most() * x[1].value.most();
    const double apart = x[0].value.most() * x[1].error + x[1].value.most() * x[0].error + x[0].error * x[1].error;
    const bool stays = apart == 0 && x[0].value.onGrid() && x[1].value.onGrid() && count * product <= 256;
    return Call{.arguments = fmt::format("{}, filter {} by {} to {}, strides {} by {}, dilations {}, {}", image.text(),
                                         window.height, window.width, outputs, options.strides.height, options.strides.width,
                                         options.dilations.height, text(pads)),
                .run =
                    [=](const Tensors& t) {
                        const std::int64_t channels = image.channels;
                        const Tensor filter = shaped(t[1], {window.height, window.width, channels, outputs});
                        const Tensor picture = image.of(t[0]);
                        return Tensors{depthwise ? stile::depthwiseConv2d(picture, filter, options)
                                                 : stile::conv2d(picture, filter, options)};
                    },
                .error = count * apart + (stays ? 0 : count * count * ulp * product)};
}

template <bool bilinear>
Draft resize(Draw& draw, const Operands& x) {
    if (!plain(x)) return {};
    const Picture image(draw, x[0].value.shape.size());
    const Pair size(draw.between(1, 8), draw.between(1, 8));
    const std::size_t kind = draw.below(3);
    const stile::image::ResizeOptions options{.alignCorners = kind == 1, .halfPixelCenters = kind == 2};
    return Call{.arguments = fmt::format("{}, to {} by {}, kind {}", image.text(), size.height, size.width, kind),
                .run =
                    [=](const Tensors& t) {
                        return Tensors{bilinear ? stile::image::resizeBilinear(image.of(t[0]), size, options)
                                                : stile::image::resizeNearestNeighbor(image.of(t[0]), size, options)};
                    },
                // The weights are rounded, and multiply the distance of two neighbours.
                .error = x[0].error + (bilinear ? 32 * ulp * x[0].value.most() : 0),
                .ulps = bilinear ? 4.0 : 0.0};
}

constexpr std::array operations{
    Operation{"maxPool", 1, pool<false>},         Operation{"avgPool", 1, pool<true>},
    Operation{"conv2d", 2, convolution<false>},   Operation{"depthwiseConv2d", 2, convolution<true>},
    Operation{"resizeBilinear", 1, resize<true>}, Operation{"resizeNearestNeighbor", 1, resize<false>},
};

}  // namespace

std::span<const Operation> windows() { return operations; }

}  // namespace fuzz
