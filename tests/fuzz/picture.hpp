#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <stile/ops.hpp>

#include "graph.hpp"

/// What operations on images and volumes make of operands of any shape.
namespace fuzz {

/// float32, finite, and with elements.
[[nodiscard]] inline bool plain(const std::vector<Operand>& x) {
    return std::ranges::all_of(
        x, [](const Operand& o) { return o.value.isFloat() && o.value.finite() && o.value.shape.size() > 0; });
}

/// The first elements in this shape.
[[nodiscard]] inline stile::Tensor shaped(const stile::Tensor& x, const std::vector<std::int64_t>& extents) {
    const std::int64_t size = std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
    return stile::reshape(stile::slice(stile::reshape(x, {-1}), {0}, {size}), extents);
}

/// An image [1, height, width, channels] of the first elements.
struct Picture {
    std::int64_t height, width, channels;

    Picture(Draw& draw, std::int64_t size)
        : height(draw.between(1, 6)), width(draw.between(1, 6)), channels(draw.between(1, 3)) {
        while (height * width * channels > size) {
            height = std::max<std::int64_t>(1, height - 1);
            width = std::max<std::int64_t>(1, width / 2);
            channels = std::max<std::int64_t>(1, channels / 2);
        }
    }
    [[nodiscard]] stile::Tensor of(const stile::Tensor& x) const { return shaped(x, {1, height, width, channels}); }
    [[nodiscard]] std::string text() const { return fmt::format("as {} by {} by {}", height, width, channels); }
};

}  // namespace fuzz
