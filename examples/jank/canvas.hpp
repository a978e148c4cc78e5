#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "image.hpp"

namespace jank {

struct Color {
    std::uint8_t red, green, blue;
};

/// An upright rectangle; (x, y) is the upper left corner.
struct Rectangle {
    float x, y, width, height;
};

/// Text as rectangles in the font of stb_easy_font, each of whose dots is `scale` pixels wide.
[[nodiscard]] std::vector<Rectangle> textShapes(const std::string& text, float x, float y, float scale);
[[nodiscard]] float textWidth(const std::string& text, float scale);

/// A picture to draw on, with the origin in the upper left corner.
class Canvas {
  public:
    Canvas(int width, int height, Color background);

    /// What lies outside the picture is left out.
    void fill(int x, int y, int width, int height, Color color);
    void text(const std::string& text, int x, int y, Color color, int scale = 2);
    /// Ends at x.
    void textRight(const std::string& text, int x, int y, Color color, int scale = 2);
    /// Has its middle at x.
    void textCentred(const std::string& text, int x, int y, Color color, int scale = 2);

    [[nodiscard]] const Image& image() const noexcept { return image_; }

  private:
    Image image_;
};

}  // namespace jank
