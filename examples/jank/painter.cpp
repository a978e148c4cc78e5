#include "painter.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace jank {
namespace {

constexpr const char* vertexShader = R"(#version 430 core
layout(location = 0) in vec2 position;
layout(location = 1) in vec2 coordinate;
layout(location = 2) in vec3 color;
layout(location = 0) uniform vec2 size;
out vec2 uv;
out vec3 tint;
void main() {
    uv = coordinate;
    tint = color;
    gl_Position = vec4(position / size * vec2(2, -2) + vec2(-1, 1), 0, 1);
}
)";

constexpr const char* fragmentShader = R"(#version 430 core
in vec2 uv;
in vec3 tint;
layout(binding = 0) uniform sampler2D picture;
out vec4 result;
void main() {
    result = vec4(uv.x < 0.0 ? tint : vec3(texture(picture, uv).r), 1);
}
)";

GLuint compile(const GladGLContext& gl, GLenum kind, const char* source) {
    const GLuint shader = gl.CreateShader(kind);
    gl.ShaderSource(shader, 1, &source, nullptr);
    gl.CompileShader(shader);
    return shader;
}

GLuint link(const GladGLContext& gl) {
    const GLuint program = gl.CreateProgram();
    for (const GLuint shader : {compile(gl, GL_VERTEX_SHADER, vertexShader), compile(gl, GL_FRAGMENT_SHADER, fragmentShader)}) {
        gl.AttachShader(program, shader);
        gl.DeleteShader(shader);  // with the program
    }
    gl.LinkProgram(program);
    GLint linked = GL_FALSE;
    gl.GetProgramiv(program, GL_LINK_STATUS, &linked);
    if (!linked) throw std::runtime_error("the window's shaders do not link");
    return program;
}

}  // namespace

Painter::Painter() {
    if (!gladLoadGLContext(&gl_, glfwGetProcAddress)) throw std::runtime_error("the window has no GL 4.3");
    program_ = link(gl_);
    gl_.GenVertexArrays(1, &layout_);
    gl_.BindVertexArray(layout_);
    gl_.GenBuffers(1, &vertices_);
    gl_.BindBuffer(GL_ARRAY_BUFFER, vertices_);
    const auto attribute = [&](GLuint index, GLint count, std::size_t offset) {
        gl_.EnableVertexAttribArray(index);
        gl_.VertexAttribPointer(index, count, GL_FLOAT, GL_FALSE, sizeof(Vertex), reinterpret_cast<const void*>(offset));
    };
    attribute(0, 2, offsetof(Vertex, x));
    attribute(1, 2, offsetof(Vertex, u));
    attribute(2, 3, offsetof(Vertex, red));
    gl_.GenTextures(1, &texture_);
    setPicture(1, 1, std::array{0.0F});
}

Painter::~Painter() {
    gl_.DeleteTextures(1, &texture_);
    gl_.DeleteBuffers(1, &vertices_);
    gl_.DeleteVertexArrays(1, &layout_);
    gl_.DeleteProgram(program_);
}

void Painter::begin(int width, int height, Color background) {
    width_ = width;
    height_ = height;
    pending_.clear();
    rectangle({0, 0, static_cast<float>(width), static_cast<float>(height)}, background);
}

void Painter::rectangle(const Rectangle& where, Color color) { add(where, {-1, -1, 0, 0}, color); }

void Painter::text(const std::string& words, float x, float y, float scale, Color color) {
    for (const Rectangle& shape : textShapes(words, x, y, scale)) rectangle(shape, color);
}

void Painter::setPicture(int width, int height, std::span<const float> values) {
    gl_.BindTexture(GL_TEXTURE_2D, texture_);
    gl_.TexImage2D(GL_TEXTURE_2D, 0, GL_R32F, width, height, 0, GL_RED, GL_FLOAT, values.data());
    gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

void Painter::picture(const Rectangle& where) { add(where, {0, 0, 1, 1}, {0, 0, 0}); }

void Painter::add(const Rectangle& where, const Rectangle& texture, Color color) {
    const auto corner = [&](float right, float down) {
        return Vertex{where.x + right * where.width,       where.y + down * where.height,
                      texture.x + right * texture.width,   texture.y + down * texture.height,
                      static_cast<float>(color.red) / 255, static_cast<float>(color.green) / 255,
                      static_cast<float>(color.blue) / 255};
    };
    for (const auto& [right, down] :
         {std::pair{0.0F, 0.0F}, {1.0F, 0.0F}, {1.0F, 1.0F}, {0.0F, 0.0F}, {1.0F, 1.0F}, {0.0F, 1.0F}}) {
        pending_.push_back(corner(right, down));
    }
}

void Painter::end() {
    gl_.Viewport(0, 0, width_, height_);
    gl_.UseProgram(program_);
    gl_.Uniform2f(0, static_cast<float>(width_), static_cast<float>(height_));
    gl_.BindTexture(GL_TEXTURE_2D, texture_);
    gl_.BindVertexArray(layout_);
    gl_.BindBuffer(GL_ARRAY_BUFFER, vertices_);
    gl_.BufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(pending_.size() * sizeof(Vertex)), pending_.data(), GL_STREAM_DRAW);
    gl_.DrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(pending_.size()));
}

Image Painter::read(int width, int height) const {
    Image image{width, height, 3, {}};
    const std::size_t row = static_cast<std::size_t>(width) * 3;
    image.pixels.resize(row * static_cast<std::size_t>(height));
    gl_.PixelStorei(GL_PACK_ALIGNMENT, 1);
    gl_.ReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, image.pixels.data());
    // GL's rows begin at the bottom.
    for (std::size_t top = 0, bottom = static_cast<std::size_t>(height) - 1; top < bottom; ++top, --bottom) {
        std::swap_ranges(image.pixels.begin() + static_cast<std::ptrdiff_t>(top * row),
                         image.pixels.begin() + static_cast<std::ptrdiff_t>((top + 1) * row),
                         image.pixels.begin() + static_cast<std::ptrdiff_t>(bottom * row));
    }
    return image;
}

}  // namespace jank
