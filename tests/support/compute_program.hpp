#pragma once

#include <stdexcept>
#include <string>

#include "gl/api.hpp"

namespace test {

/// A program of one compute shader, made with plain GL: what stands after the version line.
inline GLuint computeProgram(const stile::gl::Api& gl, bool es, const std::string& body) {
    const std::string source = (es ? "#version 310 es\n" : "#version 430 core\n") + body;
    const char* text = source.c_str();
    const GLuint shader = gl.CreateShader(GL_COMPUTE_SHADER);
    gl.ShaderSource(shader, 1, &text, nullptr);
    gl.CompileShader(shader);
    const GLuint program = gl.CreateProgram();
    gl.AttachShader(program, shader);
    gl.LinkProgram(program);
    GLint ok = 0;
    gl.GetProgramiv(program, GL_LINK_STATUS, &ok);
    if (!ok) throw std::runtime_error("a plain compute shader does not link");
    return program;
}

/// r[i] = x[i] + 1 for n vectors; r at binding 0, x at 1, n at location 0.
inline GLuint addOneProgram(const stile::gl::Api& gl, bool es) {
    return computeProgram(gl, es,
                          "layout(local_size_x = 64) in;\n"
                          "layout(location = 0) uniform int n;\n"
                          "layout(std430, binding = 0) writeonly buffer R { vec4 r[]; };\n"
                          "layout(std430, binding = 1) readonly buffer X { vec4 x[]; };\n"
                          "void main() { int i = int(gl_GlobalInvocationID.x); if (i < n) r[i] = x[i] + 1.0; }\n");
}

}  // namespace test
