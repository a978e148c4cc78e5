#include "gl_disorder.hpp"

#include <array>
#include <vector>

namespace test {
namespace {

using stile::gl::Api;

GLint limit(const Api& gl, GLenum what) {
    GLint value = 0;
    gl.GetIntegerv(what, &value);
    return value;
}

GLuint buffer(const Api& gl) {
    GLuint name = 0;
    const std::vector<float> ones(4096, 1.0F);
    gl.GenBuffers(1, &name);
    gl.BindBuffer(GL_ARRAY_BUFFER, name);
    gl.BufferData(GL_ARRAY_BUFFER, 16384, ones.data(), GL_DYNAMIC_COPY);
    return name;
}

void buffers(const Api& gl, bool es) {
    std::vector<GLenum> targets{GL_COPY_READ_BUFFER,      GL_COPY_WRITE_BUFFER,        GL_PIXEL_PACK_BUFFER,
                                GL_PIXEL_UNPACK_BUFFER,   GL_DISPATCH_INDIRECT_BUFFER, GL_DRAW_INDIRECT_BUFFER,
                                GL_SHADER_STORAGE_BUFFER, GL_UNIFORM_BUFFER,           GL_ATOMIC_COUNTER_BUFFER};
    if (!es || gl.ES_VERSION_3_2) targets.push_back(GL_TEXTURE_BUFFER);
    struct Binding {
        GLenum target, count;
    };
    for (const Binding binding : {Binding{GL_UNIFORM_BUFFER, GL_MAX_UNIFORM_BUFFER_BINDINGS},
                                  Binding{GL_SHADER_STORAGE_BUFFER, GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS},
                                  Binding{GL_ATOMIC_COUNTER_BUFFER, GL_MAX_ATOMIC_COUNTER_BUFFER_BINDINGS},
                                  Binding{GL_TRANSFORM_FEEDBACK_BUFFER, GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS}}) {
        const auto count = static_cast<GLuint>(limit(gl, binding.count));
        for (GLuint i = 0; i < count; ++i) {
            if (i % 2) {
                gl.BindBufferBase(binding.target, i, buffer(gl));
            } else {
                gl.BindBufferRange(binding.target, i, buffer(gl), 256, 512);
            }
        }
    }
    for (const GLenum target : targets) gl.BindBuffer(target, buffer(gl));
    GLuint array = 0;
    gl.GenVertexArrays(1, &array);
    gl.BindVertexArray(array);
    gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer(gl));
    for (GLuint i = 0; i < 4; ++i) {
        gl.BindBuffer(GL_ARRAY_BUFFER, buffer(gl));
        gl.VertexAttribPointer(i, 3, GL_FLOAT, GL_FALSE, 16, nullptr);
        gl.EnableVertexAttribArray(i);
        gl.VertexAttribDivisor(i, i);
    }
    gl.VertexAttrib4f(7, 1, 2, 3, 4);
}

void textures(const Api& gl, bool es) {
    std::vector<GLenum> targets{GL_TEXTURE_2D, GL_TEXTURE_3D, GL_TEXTURE_2D_ARRAY, GL_TEXTURE_CUBE_MAP,
                                GL_TEXTURE_2D_MULTISAMPLE};
    if (!es) targets.insert(targets.end(), {GL_TEXTURE_1D, GL_TEXTURE_1D_ARRAY, GL_TEXTURE_RECTANGLE});
    if (!es || gl.ES_VERSION_3_2) {
        targets.insert(targets.end(), {GL_TEXTURE_CUBE_MAP_ARRAY, GL_TEXTURE_2D_MULTISAMPLE_ARRAY});
    }
    if (gl.TexBuffer) targets.push_back(GL_TEXTURE_BUFFER);
    const GLuint texels = buffer(gl);
    const auto units = static_cast<GLuint>(limit(gl, GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS));
    for (GLuint i = 0; i < units; ++i) {
        gl.ActiveTexture(GL_TEXTURE0 + i);
        for (const GLenum target : targets) {
            GLuint name = 0;
            gl.GenTextures(1, &name);
            gl.BindTexture(target, name);
            if (target == GL_TEXTURE_BUFFER) gl.TexBuffer(target, GL_R32F, texels);
        }
        GLuint sampler = 0;
        gl.GenSamplers(1, &sampler);
        gl.BindSampler(i, sampler);
    }
    GLuint image = 0;
    gl.GenTextures(1, &image);
    gl.ActiveTexture(GL_TEXTURE0 + 5);
    gl.BindTexture(GL_TEXTURE_2D, image);
    gl.TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 16, 16);
    const auto images = static_cast<GLuint>(limit(gl, GL_MAX_IMAGE_UNITS));
    for (GLuint i = 0; i < images; ++i) gl.BindImageTexture(i, image, 0, GL_FALSE, 0, GL_READ_ONLY, GL_RGBA8);
}

void objects(const Api& gl, bool es) {
    GLuint texture = 0, renderbuffer = 0, pipeline = 0, feedback = 0, query = 0;
    std::array<GLuint, 2> framebuffers{};
    gl.GenTextures(1, &texture);
    gl.BindTexture(GL_TEXTURE_2D, texture);
    gl.TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 32, 32);
    gl.GenFramebuffers(2, framebuffers.data());
    for (const GLuint framebuffer : framebuffers) {
        gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    }
    gl.BindFramebuffer(GL_READ_FRAMEBUFFER, framebuffers[0]);
    gl.GenRenderbuffers(1, &renderbuffer);
    gl.BindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    gl.GenProgramPipelines(1, &pipeline);
    gl.BindProgramPipeline(pipeline);
    gl.GenTransformFeedbacks(1, &feedback);
    gl.BindTransformFeedback(GL_TRANSFORM_FEEDBACK, feedback);
    gl.BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer(gl));
    gl.GenQueries(1, &query);
    gl.BeginQuery(es ? GL_ANY_SAMPLES_PASSED : GL_SAMPLES_PASSED, query);
}

void values(const Api& gl, bool es) {
    for (const GLenum what : {GL_BLEND, GL_CULL_FACE, GL_DEPTH_TEST, GL_POLYGON_OFFSET_FILL, GL_PRIMITIVE_RESTART_FIXED_INDEX,
                              GL_RASTERIZER_DISCARD, GL_SAMPLE_ALPHA_TO_COVERAGE, GL_SAMPLE_COVERAGE, GL_SAMPLE_MASK,
                              GL_SCISSOR_TEST, GL_STENCIL_TEST}) {
        gl.Enable(what);
    }
    gl.Disable(GL_DITHER);
    gl.BlendColor(0.1F, 0.2F, 0.3F, 0.4F);
    gl.BlendEquationSeparate(GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT);
    gl.BlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_DST_COLOR);
    gl.ClearColor(0.5F, 0.25F, 0.125F, 1);
    gl.ClearDepthf(0.5F);
    gl.ClearStencil(3);
    gl.ColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_FALSE);
    gl.CullFace(GL_FRONT);
    gl.DepthFunc(GL_GREATER);
    gl.DepthMask(GL_FALSE);
    gl.DepthRangef(0.25F, 0.75F);
    gl.FrontFace(GL_CW);
    gl.Hint(GL_FRAGMENT_SHADER_DERIVATIVE_HINT, GL_NICEST);
    gl.PolygonOffset(1.5F, 2.5F);
    gl.SampleCoverage(0.5F, GL_TRUE);
    gl.SampleMaski(0, 0x55);
    gl.Scissor(1, 2, 30, 40);
    gl.StencilFuncSeparate(GL_FRONT, GL_LESS, 1, 0x0f);
    gl.StencilFuncSeparate(GL_BACK, GL_GREATER, 2, 0xf0);
    gl.StencilMaskSeparate(GL_FRONT, 0x33);
    gl.StencilOpSeparate(GL_BACK, GL_INCR, GL_DECR, GL_INVERT);
    gl.Viewport(3, 4, 50, 60);
    for (const GLenum what : {GL_PACK_ROW_LENGTH, GL_PACK_SKIP_PIXELS, GL_PACK_SKIP_ROWS, GL_UNPACK_ROW_LENGTH,
                              GL_UNPACK_IMAGE_HEIGHT, GL_UNPACK_SKIP_PIXELS, GL_UNPACK_SKIP_ROWS, GL_UNPACK_SKIP_IMAGES}) {
        gl.PixelStorei(what, 7);
    }
    gl.PixelStorei(GL_PACK_ALIGNMENT, 1);
    gl.PixelStorei(GL_UNPACK_ALIGNMENT, 2);
    if (es) return;
    for (const GLenum what : {GL_COLOR_LOGIC_OP, GL_DEPTH_CLAMP, GL_FRAMEBUFFER_SRGB, GL_PROGRAM_POINT_SIZE,
                              GL_TEXTURE_CUBE_MAP_SEAMLESS, GL_CLIP_DISTANCE1}) {
        gl.Enable(what);
    }
    gl.LogicOp(GL_XOR);
    gl.PointSize(2);
    gl.PolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    gl.PrimitiveRestartIndex(99);
    gl.ProvokingVertex(GL_FIRST_VERTEX_CONVENTION);
    gl.PatchParameteri(GL_PATCH_VERTICES, 5);
    gl.BlendFunci(1, GL_ONE, GL_ONE);
    gl.ViewportIndexedf(2, 1, 2, 3, 4);
}

}  // namespace

void disorder(const Api& gl, bool es) {
    buffers(gl, es);
    textures(gl, es);
    objects(gl, es);
    values(gl, es);
}

}  // namespace test
