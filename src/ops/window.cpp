#include "ops/window.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "ops/check.hpp"
#include "stile/ops/shape.hpp"

namespace stile::ops {
namespace {

/// Positions in a window are int32 on the device: this much leaves room for their sums.
constexpr std::int64_t widest = std::int64_t{1} << 30;

std::int64_t divided(std::int64_t room, std::int64_t stride, Rounding rounding) {
    const std::int64_t whole = room / stride, rest = room % stride;
    switch (rounding) {
        case Rounding::floor: return whole;
        case Rounding::ceil: return whole + (rest > 0 ? 1 : 0);
        case Rounding::round: break;
    }
    return whole + (2 * rest >= stride ? 1 : 0);
}

/// One axis of a window: how it steps, what lies before and after the input.
struct Axis {
    std::int64_t extent, window, stride, dilation, before, after;
};

/// (padding before, positions).
std::pair<std::int64_t, std::int64_t> along(const char* op, const Axis& a, Padding::Kind kind, Rounding rounding) {
    for (const auto& [what, value] :
         {std::pair("window", a.window), std::pair("strides", a.stride), std::pair("dilations", a.dilation)}) {
        if (value < 1 || value > widest) fail(op, "{} {} outside 1 … 2^30", what, value);
    }
    const std::int64_t reach = (a.window - 1) * a.dilation + 1;
    if (reach > widest) fail(op, "a window of {} with dilation {} reaches too far", a.window, a.dilation);
    switch (kind) {
        case Padding::Kind::same: {
            const std::int64_t positions = (a.extent + a.stride - 1) / a.stride;
            const std::int64_t padding = std::max<std::int64_t>((positions - 1) * a.stride + reach - a.extent, 0);
            return {padding / 2, positions};
        }
        case Padding::Kind::valid: return {0, std::max<std::int64_t>(0, (a.extent - reach + a.stride) / a.stride)};
        case Padding::Kind::amounts: break;
    }
    if (a.before < 0 || a.after < 0) fail(op, "padding {}, {} is negative", a.before, a.after);
    if (a.before > widest || a.after > widest) fail(op, "padding {}, {} above 2^30", a.before, a.after);
    const std::int64_t room = a.extent - reach + a.before + a.after;
    return {a.before, room < 0 ? 0 : divided(room, a.stride, rounding) + 1};
}

void expectNoRounding(const char* op, const Shape& x, const Padding& padding, const std::optional<Rounding>& rounding) {
    if (rounding && padding.kind != Padding::Kind::amounts) {
        fail(op, "a rounding goes with padding in amounts only, x {}", toString(x));
    }
}

}  // namespace

Sliding slide(const char* op, const Shape& images, Pair window, Pair strides, Pair dilations, Padding padding,
              std::optional<Rounding> rounding) {
    expectNoRounding(op, images, padding, rounding);
    const Rounding mode = rounding.value_or(Rounding::floor);
    const auto [top, height] = along(
        op, {images[1], window.height, strides.height, dilations.height, padding.top, padding.bottom}, padding.kind, mode);
    const auto [left, width] =
        along(op, {images[2], window.width, strides.width, dilations.width, padding.left, padding.right}, padding.kind, mode);
    return {
        .window = {window.height, window.width, strides.height, strides.width, dilations.height, dilations.width, top, left},
        .height = height,
        .width = width};
}

Sliding3d slide(const char* op, const Shape& volumes, Triple window, Triple strides, Triple dilations, Padding padding,
                std::optional<Rounding> rounding) {
    const Shape planes{volumes[0], volumes[2], volumes[3], volumes[4]};
    Sliding3d s{.plane = slide(op, planes, {window.height, window.width}, {strides.height, strides.width},
                               {dilations.height, dilations.width}, padding, rounding),
                .window = window.depth,
                .stride = strides.depth,
                .dilation = dilations.depth};
    std::tie(s.front, s.depth) =
        along(op, {volumes[1], window.depth, strides.depth, dilations.depth, padding.front, padding.back}, padding.kind,
              rounding.value_or(Rounding::floor));
    return s;
}

void expectStridesOrDilations(const char* op, std::span<const std::int64_t> strides, std::span<const std::int64_t> dilations) {
    const auto above = [](std::int64_t step) { return step > 1; };
    if (std::ranges::none_of(strides, above) || std::ranges::none_of(dilations, above)) return;
    fail(op, "strides {} and dilations {} are both above 1", fmt::join(strides, " × "), fmt::join(dilations, " × "));
}

Tensor Arranged::restore(const Tensor& result) const {
    Tensor back = result;
    if (channelsFirst) {
        std::vector<int> order{0, back.rank() - 1};
        for (int axis = 1; axis < back.rank() - 1; ++axis) order.push_back(axis);
        back = transpose(back, order);
    }
    return single ? squeeze(back, 0) : back;
}

Arranged arrange(const char* op, const Tensor& x, int rank, DataFormat format) {
    if (x.rank() != rank && x.rank() != rank - 1) {
        fail(op, "x {} is not of rank {} or {}", toString(x.shape()), rank - 1, rank);
    }
    Arranged arranged{.x = x, .single = x.rank() == rank - 1, .channelsFirst = format == DataFormat::nchw};
    if (arranged.single) arranged.x = expandDims(x, 0);
    if (arranged.channelsFirst) {
        std::vector<int> order{0};
        for (int axis = 2; axis < rank; ++axis) order.push_back(axis);
        order.push_back(1);
        arranged.x = transpose(arranged.x, order);
    }
    return arranged;
}

Shape arrange(const char* op, const Shape& shape, int rank, DataFormat format) {
    if (shape.rank() != rank && shape.rank() != rank - 1) {
        fail(op, "outputShape {} is not of rank {} or {}", toString(shape), rank - 1, rank);
    }
    std::vector<std::int64_t> extents = extentsOf(shape);
    if (shape.rank() == rank - 1) extents.insert(extents.begin(), 1);
    if (format == DataFormat::nchw) std::rotate(extents.begin() + 1, extents.begin() + 2, extents.end());
    return Shape(extents);
}

}  // namespace stile::ops
