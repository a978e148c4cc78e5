#pragma once

#include <glad/gl.h>

#include <span>
#include <string>
#include <vector>

#include "canvas.hpp"
#include "image.hpp"

namespace jank {

/// Draws rectangles, text and one grey picture with GL 4.3 core, in pixels from the upper left corner. Lives in the context
/// that was current when it was made.
class Painter {
  public:
    Painter();
    ~Painter();
    Painter(const Painter&) = delete;
    Painter& operator=(const Painter&) = delete;

    void begin(int width, int height, Color background);
    void rectangle(const Rectangle& where, Color color);
    void text(const std::string& words, float x, float y, float scale, Color color);
    /// Replaces the picture: numbers from 0 to 1.
    void setPicture(int width, int height, std::span<const float> values);
    void picture(const Rectangle& where);
    /// Draws what was asked for since `begin`, in that order.
    void end();

    /// What the window shows.
    [[nodiscard]] Image read(int width, int height) const;

  private:
    /// A corner; the texture coordinates of plain rectangles are negative.
    struct Vertex {
        float x, y, u, v, red, green, blue;
    };
    void add(const Rectangle& where, const Rectangle& texture, Color color);

    GladGLContext gl_{};
    GLuint program_ = 0, vertices_ = 0, layout_ = 0, texture_ = 0;
    int width_ = 1, height_ = 1;
    std::vector<Vertex> pending_;
};

}  // namespace jank
