#include "ops/window.hpp"

#include <algorithm>
#include <utility>

#include "ops/check.hpp"

namespace stile::ops {
namespace {

std::int64_t divided(const char* op, std::int64_t room, std::int64_t stride, Rounding rounding) {
    const std::int64_t whole = room / stride, rest = room % stride;
    switch (rounding) {
        case Rounding::floor: return whole;
        case Rounding::ceil: return whole + (rest > 0 ? 1 : 0);
        case Rounding::round: return whole + (2 * rest >= stride ? 1 : 0);
        case Rounding::exact: break;
    }
    if (rest != 0) fail(op, "padding in amounts leaves {} of stride {}; choose a rounding", rest, stride);
    return whole;
}

/// Along one axis: (padding before, positions).
std::pair<std::int64_t, std::int64_t> along(const char* op, std::int64_t extent, std::int64_t window, std::int64_t stride,
                                            std::int64_t dilation, Padding::Kind kind, std::int64_t before, std::int64_t after,
                                            Rounding rounding) {
    const std::int64_t reach = (window - 1) * dilation + 1;
    switch (kind) {
        case Padding::Kind::same: {
            const std::int64_t positions = (extent + stride - 1) / stride;
            const std::int64_t padding = std::max<std::int64_t>((positions - 1) * stride + reach - extent, 0);
            return {padding / 2, positions};
        }
        case Padding::Kind::valid: return {0, std::max<std::int64_t>(0, (extent - reach + stride) / stride)};
        case Padding::Kind::amounts: break;
    }
    if (before < 0 || after < 0) fail(op, "padding {}, {} is negative", before, after);
    const std::int64_t room = extent - reach + before + after;
    return {before, room < 0 ? 0 : divided(op, room, stride, rounding) + 1};
}

}  // namespace

Sliding slide(const char* op, const Shape& images, Pair window, Pair strides, Pair dilations, Padding padding,
              Rounding rounding) {
    for (const auto& [what, pair] :
         {std::pair("window", window), std::pair("strides", strides), std::pair("dilations", dilations)}) {
        if (pair.height < 1 || pair.width < 1) fail(op, "{} {} × {} below 1", what, pair.height, pair.width);
    }
    if ((strides.height > 1 || strides.width > 1) && (dilations.height > 1 || dilations.width > 1)) {
        fail(op, "strides {} × {} and dilations {} × {} are both above 1", strides.height, strides.width, dilations.height,
             dilations.width);
    }
    if (rounding != Rounding::exact && padding.kind != Padding::Kind::amounts) {
        fail(op, "a rounding goes with padding in amounts only, images {}", toString(images));
    }
    Sliding s;
    const auto [top, height] = along(op, images[1], window.height, strides.height, dilations.height, padding.kind, padding.top,
                                     padding.bottom, rounding);
    const auto [left, width] =
        along(op, images[2], window.width, strides.width, dilations.width, padding.kind, padding.left, padding.right, rounding);
    s.window = {window.height, window.width, strides.height, strides.width, dilations.height, dilations.width, top, left};
    s.height = height;
    s.width = width;
    return s;
}

}  // namespace stile::ops
