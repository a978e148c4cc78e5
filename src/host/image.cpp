#include <algorithm>

#include "host/elements.hpp"
#include "host/host.hpp"

namespace stile::host {
namespace {

/// A position along an axis of the input as a fraction, so that no rounding picks a neighbour.
struct Fraction {
    std::int64_t numerator, denominator;
};

Fraction positionOf(const prim::Resize& what, std::int64_t o, std::int64_t before, std::int64_t after) {
    if (what.alignCorners) return {after > 1 ? o * (before - 1) : o * before, std::max<std::int64_t>(after - 1, 1)};
    if (what.halfPixelCenters) return {(2 * o + 1) * before, 2 * after};
    return {o * before, after};
}

std::int64_t nearest(const prim::Resize& what, Fraction at, std::int64_t extent) {
    const std::int64_t place =
        what.alignCorners ? (2 * at.numerator + at.denominator) / (2 * at.denominator) : at.numerator / at.denominator;
    return std::min(place, extent - 1);
}

/// Two neighbours and the weight of the second.
struct Between {
    std::int64_t first, second;
    float weight;
};

Between between(const prim::Resize& what, Fraction at, std::int64_t extent) {
    if (what.halfPixelCenters) at.numerator -= at.denominator / 2;
    const std::int64_t first = std::max<std::int64_t>(at.numerator, 0) / at.denominator;
    const float weight = at.numerator < 0
                             ? 0.0F
                             : static_cast<float>(at.numerator - first * at.denominator) / static_cast<float>(at.denominator);
    return {first, std::min(first + 1, extent - 1), weight};
}

/// Without the second where it does not count: 0 · infinity is not 0.
float mix(float a, float b, float weight) { return weight == 0 ? a : a + (b - a) * weight; }

}  // namespace

void run(const prim::Resize& what, Operands in, const Operand& out) {
    const Operand& x = in[0];
    const std::int64_t height = x.shape[1], width = x.shape[2], channels = x.shape[3];
    for (std::int64_t i = 0; i < out.shape.size(); ++i) {
        const std::int64_t c = i % channels, column = i / channels % out.shape[2];
        const std::int64_t row = i / channels / out.shape[2] % out.shape[1], batch = i / channels / out.shape[2] / out.shape[1];
        const Fraction atY = positionOf(what, row, height, out.shape[1]), atX = positionOf(what, column, width, out.shape[2]);
        const auto index = [&](std::int64_t y, std::int64_t to) { return ((batch * height + y) * width + to) * channels + c; };
        if (!what.bilinear) {
            put(out.data, i, get<Word>(x.data, index(nearest(what, atY, height), nearest(what, atX, width))));
            continue;
        }
        const auto value = [&](std::int64_t y, std::int64_t to) {
            const std::int64_t at = index(y, to);
            return x.dtype == DType::float32 ? get<float>(x.data, at) : static_cast<float>(get<std::int32_t>(x.data, at));
        };
        const Between y = between(what, atY, height), to = between(what, atX, width);
        const float upper = mix(value(y.first, to.first), value(y.first, to.second), to.weight);
        const float lower = mix(value(y.second, to.first), value(y.second, to.second), to.weight);
        put(out.data, i, mix(upper, lower, y.weight));
    }
}

}  // namespace stile::host
