#include "canvas.hpp"

#include <stb_easy_font.h>

#include <algorithm>
#include <array>

namespace jank {
namespace {

/// The vertices that stb_easy_font writes: four for each rectangle, the third opposite the first.
struct Vertex {
    float x, y, z;
    std::array<std::uint8_t, 4> color;
};

}  // namespace

std::vector<Rectangle> textShapes(const std::string& text, float x, float y, float scale) {
    // The library's header reckons with some 270 bytes a character.
    std::vector<Vertex> vertices(text.size() * 20 + 20);
    std::string copy = text;  // taken as char*, though only read
    const int quads =
        stb_easy_font_print(0, 0, copy.data(), nullptr, vertices.data(), static_cast<int>(vertices.size() * sizeof(Vertex)));
    std::vector<Rectangle> shapes;
    for (std::size_t i = 0; i < static_cast<std::size_t>(quads); ++i) {
        const Vertex& from = vertices[4 * i];
        const Vertex& to = vertices[4 * i + 2];
        shapes.push_back({x + from.x * scale, y + from.y * scale, (to.x - from.x) * scale, (to.y - from.y) * scale});
    }
    return shapes;
}

float textWidth(const std::string& text, float scale) {
    std::string copy = text;
    return static_cast<float>(stb_easy_font_width(copy.data())) * scale;
}

Canvas::Canvas(int width, int height, Color background) : image_{width, height, 3, {}} {
    image_.pixels.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3);
    fill(0, 0, width, height, background);
}

void Canvas::fill(int x, int y, int width, int height, Color color) {
    const int left = std::max(x, 0), right = std::min(x + width, image_.width);
    const int top = std::max(y, 0), bottom = std::min(y + height, image_.height);
    for (int row = top; row < bottom; ++row) {
        for (int column = left; column < right; ++column) {
            const auto at =
                3 * (static_cast<std::size_t>(row) * static_cast<std::size_t>(image_.width) + static_cast<std::size_t>(column));
            image_.pixels[at] = color.red;
            image_.pixels[at + 1] = color.green;
            image_.pixels[at + 2] = color.blue;
        }
    }
}

void Canvas::text(const std::string& text, int x, int y, Color color, int scale) {
    for (const Rectangle& shape : textShapes(text, static_cast<float>(x), static_cast<float>(y), static_cast<float>(scale))) {
        fill(static_cast<int>(shape.x), static_cast<int>(shape.y), static_cast<int>(shape.width),
             static_cast<int>(shape.height), color);
    }
}

void Canvas::textRight(const std::string& words, int x, int y, Color color, int scale) {
    text(words, x - static_cast<int>(textWidth(words, static_cast<float>(scale))), y, color, scale);
}

void Canvas::textCentred(const std::string& words, int x, int y, Color color, int scale) {
    text(words, x - static_cast<int>(textWidth(words, static_cast<float>(scale))) / 2, y, color, scale);
}

}  // namespace jank
