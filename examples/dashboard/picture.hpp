#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace dashboard {

/// Numbers as characters, in one of two ways.
enum class Style { colour, plain };

/// A part of an image as a line of text: with colours two rows of pixels, in half blocks, else one row in shades of letters.
/// Values from 0 to `largest` go from dark to bright.
[[nodiscard]] std::string line(std::span<const float> pixels, std::size_t width, std::size_t number, float largest,
                               Style style);

/// How many lines an image of so many rows takes.
[[nodiscard]] constexpr std::size_t lines(std::size_t rows, Style style) {
    return style == Style::colour ? (rows + 1) / 2 : rows;
}

}  // namespace dashboard
