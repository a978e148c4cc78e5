#include "picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace dashboard {
namespace {

using Colour = std::array<float, 3>;

/// From dark blue over violet and orange to light yellow.
Colour colour(float brightness) {
    constexpr std::array<Colour, 5> stops{{{13, 8, 60}, {110, 20, 130}, {200, 60, 90}, {250, 160, 50}, {252, 250, 190}}};
    const float place = std::clamp(brightness, 0.0F, 1.0F) * (stops.size() - 1);
    const auto stop = std::min(static_cast<std::size_t>(place), stops.size() - 2);
    Colour out;
    for (std::size_t i = 0; i < 3; ++i)
        out[i] = std::lerp(stops[stop][i], stops[stop + 1][i], place - static_cast<float>(stop));
    return out;
}

}  // namespace

std::string line(std::span<const float> pixels, std::size_t width, std::size_t number, float largest, Style style) {
    const auto brightness = [&](std::size_t row, std::size_t column) {
        const std::size_t at = row * width + column;
        return at < pixels.size() && largest > 0 ? pixels[at] / largest : 0;
    };
    std::string text;
    for (std::size_t x = 0; x < width; ++x) {
        if (style == Style::plain) {
            constexpr std::string_view shades = " .:-=+*#%@";
            const float place = std::clamp(brightness(number, x), 0.0F, 1.0F) * static_cast<float>(shades.size() - 1);
            text += shades[static_cast<std::size_t>(place + 0.5F)];
        } else {
            const Colour upper = colour(brightness(2 * number, x)), lower = colour(brightness(2 * number + 1, x));
            text += fmt::format("\x1b[38;2;{:.0f};{:.0f};{:.0f}m\x1b[48;2;{:.0f};{:.0f};{:.0f}m▀", upper[0], upper[1], upper[2],
                                lower[0], lower[1], lower[2]);
        }
    }
    return style == Style::colour ? text + "\x1b[0m" : text;
}

}  // namespace dashboard
