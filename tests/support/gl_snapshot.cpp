#include "gl_snapshot.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <sstream>
#include <utility>

namespace test {
namespace {

using stile::gl::Api;

struct Name {
    const char* text;
    GLenum value;
};
#define NAME(value) \
    Name { #value, value }

constexpr std::array switches{NAME(GL_BLEND),
                              NAME(GL_COLOR_LOGIC_OP),
                              NAME(GL_CULL_FACE),
                              NAME(GL_DEBUG_OUTPUT),
                              NAME(GL_DEBUG_OUTPUT_SYNCHRONOUS),
                              NAME(GL_DEPTH_CLAMP),
                              NAME(GL_DEPTH_TEST),
                              NAME(GL_DITHER),
                              NAME(GL_FRAMEBUFFER_SRGB),
                              NAME(GL_LINE_SMOOTH),
                              NAME(GL_MULTISAMPLE),
                              NAME(GL_POLYGON_OFFSET_FILL),
                              NAME(GL_POLYGON_OFFSET_LINE),
                              NAME(GL_POLYGON_OFFSET_POINT),
                              NAME(GL_POLYGON_SMOOTH),
                              NAME(GL_PRIMITIVE_RESTART),
                              NAME(GL_PRIMITIVE_RESTART_FIXED_INDEX),
                              NAME(GL_PROGRAM_POINT_SIZE),
                              NAME(GL_RASTERIZER_DISCARD),
                              NAME(GL_SAMPLE_ALPHA_TO_COVERAGE),
                              NAME(GL_SAMPLE_ALPHA_TO_ONE),
                              NAME(GL_SAMPLE_COVERAGE),
                              NAME(GL_SAMPLE_MASK),
                              NAME(GL_SAMPLE_SHADING),
                              NAME(GL_SCISSOR_TEST),
                              NAME(GL_STENCIL_TEST),
                              NAME(GL_TEXTURE_CUBE_MAP_SEAMLESS),
                              NAME(GL_CLIP_DISTANCE0),
                              NAME(GL_CLIP_DISTANCE1),
                              NAME(GL_CLIP_DISTANCE2),
                              NAME(GL_CLIP_DISTANCE3),
                              NAME(GL_CLIP_DISTANCE4),
                              NAME(GL_CLIP_DISTANCE5),
                              NAME(GL_CLIP_DISTANCE6),
                              NAME(GL_CLIP_DISTANCE7)};

constexpr std::array values{NAME(GL_ACTIVE_TEXTURE),
                            NAME(GL_ARRAY_BUFFER_BINDING),
                            NAME(GL_ATOMIC_COUNTER_BUFFER_BINDING),
                            NAME(GL_BLEND_COLOR),
                            NAME(GL_BLEND_DST_ALPHA),
                            NAME(GL_BLEND_DST_RGB),
                            NAME(GL_BLEND_EQUATION_ALPHA),
                            NAME(GL_BLEND_EQUATION_RGB),
                            NAME(GL_BLEND_SRC_ALPHA),
                            NAME(GL_BLEND_SRC_RGB),
                            NAME(GL_CLIP_DEPTH_MODE),
                            NAME(GL_CLIP_ORIGIN),
                            NAME(GL_COLOR_CLEAR_VALUE),
                            NAME(GL_COLOR_WRITEMASK),
                            NAME(GL_CONTEXT_FLAGS),
                            NAME(GL_COPY_READ_BUFFER_BINDING),
                            NAME(GL_COPY_WRITE_BUFFER_BINDING),
                            NAME(GL_CULL_FACE_MODE),
                            NAME(GL_CURRENT_PROGRAM),
                            NAME(GL_DEBUG_GROUP_STACK_DEPTH),
                            NAME(GL_DEBUG_LOGGED_MESSAGES),
                            NAME(GL_DEPTH_CLEAR_VALUE),
                            NAME(GL_DEPTH_FUNC),
                            NAME(GL_DEPTH_RANGE),
                            NAME(GL_DEPTH_WRITEMASK),
                            NAME(GL_DISPATCH_INDIRECT_BUFFER_BINDING),
                            NAME(GL_DRAW_BUFFER),
                            NAME(GL_DRAW_BUFFER0),
                            NAME(GL_DRAW_BUFFER1),
                            NAME(GL_DRAW_BUFFER2),
                            NAME(GL_DRAW_BUFFER3),
                            NAME(GL_DRAW_FRAMEBUFFER_BINDING),
                            NAME(GL_DRAW_INDIRECT_BUFFER_BINDING),
                            NAME(GL_ELEMENT_ARRAY_BUFFER_BINDING),
                            NAME(GL_FRAGMENT_SHADER_DERIVATIVE_HINT),
                            NAME(GL_FRONT_FACE),
                            NAME(GL_GENERATE_MIPMAP_HINT),
                            NAME(GL_IMPLEMENTATION_COLOR_READ_FORMAT),
                            NAME(GL_LAYER_PROVOKING_VERTEX),
                            NAME(GL_LINE_SMOOTH_HINT),
                            NAME(GL_LINE_WIDTH),
                            NAME(GL_LOGIC_OP_MODE),
                            NAME(GL_MIN_SAMPLE_SHADING_VALUE),
                            NAME(GL_PACK_ALIGNMENT),
                            NAME(GL_PACK_IMAGE_HEIGHT),
                            NAME(GL_PACK_LSB_FIRST),
                            NAME(GL_PACK_ROW_LENGTH),
                            NAME(GL_PACK_SKIP_IMAGES),
                            NAME(GL_PACK_SKIP_PIXELS),
                            NAME(GL_PACK_SKIP_ROWS),
                            NAME(GL_PACK_SWAP_BYTES),
                            NAME(GL_PARAMETER_BUFFER_BINDING),
                            NAME(GL_PATCH_DEFAULT_INNER_LEVEL),
                            NAME(GL_PATCH_DEFAULT_OUTER_LEVEL),
                            NAME(GL_PATCH_VERTICES),
                            NAME(GL_PIXEL_PACK_BUFFER_BINDING),
                            NAME(GL_PIXEL_UNPACK_BUFFER_BINDING),
                            NAME(GL_POINT_FADE_THRESHOLD_SIZE),
                            NAME(GL_POINT_SIZE),
                            NAME(GL_POINT_SPRITE_COORD_ORIGIN),
                            NAME(GL_POLYGON_MODE),
                            NAME(GL_POLYGON_OFFSET_CLAMP),
                            NAME(GL_POLYGON_OFFSET_FACTOR),
                            NAME(GL_POLYGON_OFFSET_UNITS),
                            NAME(GL_POLYGON_SMOOTH_HINT),
                            NAME(GL_PRIMITIVE_RESTART_INDEX),
                            NAME(GL_PROGRAM_PIPELINE_BINDING),
                            NAME(GL_PROVOKING_VERTEX),
                            NAME(GL_QUERY_BUFFER_BINDING),
                            NAME(GL_READ_BUFFER),
                            NAME(GL_READ_FRAMEBUFFER_BINDING),
                            NAME(GL_RENDERBUFFER_BINDING),
                            NAME(GL_RESET_NOTIFICATION_STRATEGY),
                            NAME(GL_SAMPLE_COVERAGE_INVERT),
                            NAME(GL_SAMPLE_COVERAGE_VALUE),
                            NAME(GL_SCISSOR_BOX),
                            NAME(GL_SHADER_STORAGE_BUFFER_BINDING),
                            NAME(GL_STENCIL_BACK_FAIL),
                            NAME(GL_STENCIL_BACK_FUNC),
                            NAME(GL_STENCIL_BACK_PASS_DEPTH_FAIL),
                            NAME(GL_STENCIL_BACK_PASS_DEPTH_PASS),
                            NAME(GL_STENCIL_BACK_REF),
                            NAME(GL_STENCIL_BACK_VALUE_MASK),
                            NAME(GL_STENCIL_BACK_WRITEMASK),
                            NAME(GL_STENCIL_CLEAR_VALUE),
                            NAME(GL_STENCIL_FAIL),
                            NAME(GL_STENCIL_FUNC),
                            NAME(GL_STENCIL_PASS_DEPTH_FAIL),
                            NAME(GL_STENCIL_PASS_DEPTH_PASS),
                            NAME(GL_STENCIL_REF),
                            NAME(GL_STENCIL_VALUE_MASK),
                            NAME(GL_STENCIL_WRITEMASK),
                            NAME(GL_TEXTURE_BUFFER),
                            NAME(GL_TEXTURE_COMPRESSION_HINT),
                            NAME(GL_TRANSFORM_FEEDBACK_BINDING),
                            NAME(GL_TRANSFORM_FEEDBACK_BUFFER_BINDING),
                            NAME(GL_TRANSFORM_FEEDBACK_ACTIVE),
                            NAME(GL_TRANSFORM_FEEDBACK_PAUSED),
                            NAME(GL_UNIFORM_BUFFER_BINDING),
                            NAME(GL_UNPACK_ALIGNMENT),
                            NAME(GL_UNPACK_IMAGE_HEIGHT),
                            NAME(GL_UNPACK_LSB_FIRST),
                            NAME(GL_UNPACK_ROW_LENGTH),
                            NAME(GL_UNPACK_SKIP_IMAGES),
                            NAME(GL_UNPACK_SKIP_PIXELS),
                            NAME(GL_UNPACK_SKIP_ROWS),
                            NAME(GL_UNPACK_SWAP_BYTES),
                            NAME(GL_VERTEX_ARRAY_BINDING),
                            NAME(GL_VIEWPORT_INDEX_PROVOKING_VERTEX),
                            NAME(GL_VIEWPORT)};

/// What there is several of: how many (0: what GL answers to `limit`), and what can be asked of each.
struct Indexed {
    GLenum limit;
    GLint count;
    std::vector<Name> names;
};

const std::vector<Indexed>& indexed() {
    static const std::vector<Indexed> all{
        {GL_MAX_UNIFORM_BUFFER_BINDINGS,
         0,
         {NAME(GL_UNIFORM_BUFFER_BINDING), NAME(GL_UNIFORM_BUFFER_START), NAME(GL_UNIFORM_BUFFER_SIZE)}},
        {GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS,
         0,
         {NAME(GL_SHADER_STORAGE_BUFFER_BINDING), NAME(GL_SHADER_STORAGE_BUFFER_START), NAME(GL_SHADER_STORAGE_BUFFER_SIZE)}},
        {GL_MAX_ATOMIC_COUNTER_BUFFER_BINDINGS,
         0,
         {NAME(GL_ATOMIC_COUNTER_BUFFER_BINDING), NAME(GL_ATOMIC_COUNTER_BUFFER_START), NAME(GL_ATOMIC_COUNTER_BUFFER_SIZE)}},
        {GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS,
         0,
         {NAME(GL_TRANSFORM_FEEDBACK_BUFFER_BINDING), NAME(GL_TRANSFORM_FEEDBACK_BUFFER_START),
          NAME(GL_TRANSFORM_FEEDBACK_BUFFER_SIZE)}},
        {GL_MAX_IMAGE_UNITS,
         0,
         {NAME(GL_IMAGE_BINDING_NAME), NAME(GL_IMAGE_BINDING_LEVEL), NAME(GL_IMAGE_BINDING_LAYERED),
          NAME(GL_IMAGE_BINDING_LAYER), NAME(GL_IMAGE_BINDING_ACCESS), NAME(GL_IMAGE_BINDING_FORMAT)}},
        {GL_MAX_VERTEX_ATTRIB_BINDINGS,
         0,
         {NAME(GL_VERTEX_BINDING_BUFFER), NAME(GL_VERTEX_BINDING_OFFSET), NAME(GL_VERTEX_BINDING_STRIDE),
          NAME(GL_VERTEX_BINDING_DIVISOR)}},
        {GL_MAX_SAMPLE_MASK_WORDS, 0, {NAME(GL_SAMPLE_MASK_VALUE)}},
        {GL_MAX_DRAW_BUFFERS,
         0,
         {NAME(GL_BLEND_SRC_RGB), NAME(GL_BLEND_DST_RGB), NAME(GL_BLEND_SRC_ALPHA), NAME(GL_BLEND_DST_ALPHA),
          NAME(GL_BLEND_EQUATION_RGB), NAME(GL_BLEND_EQUATION_ALPHA), NAME(GL_COLOR_WRITEMASK)}},
        {GL_MAX_VIEWPORTS, 0, {NAME(GL_VIEWPORT), NAME(GL_SCISSOR_BOX), NAME(GL_DEPTH_RANGE)}},
    };
    return all;
}

constexpr std::array attributes{
    NAME(GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING), NAME(GL_VERTEX_ATTRIB_ARRAY_ENABLED), NAME(GL_VERTEX_ATTRIB_ARRAY_SIZE),
    NAME(GL_VERTEX_ATTRIB_ARRAY_STRIDE),         NAME(GL_VERTEX_ATTRIB_ARRAY_TYPE),    NAME(GL_VERTEX_ATTRIB_ARRAY_NORMALIZED),
    NAME(GL_VERTEX_ATTRIB_ARRAY_INTEGER),        NAME(GL_VERTEX_ATTRIB_ARRAY_DIVISOR), NAME(GL_VERTEX_ATTRIB_BINDING),
    NAME(GL_VERTEX_ATTRIB_RELATIVE_OFFSET),      NAME(GL_CURRENT_VERTEX_ATTRIB)};

constexpr std::array textures{NAME(GL_TEXTURE_BINDING_1D),
                              NAME(GL_TEXTURE_BINDING_2D),
                              NAME(GL_TEXTURE_BINDING_3D),
                              NAME(GL_TEXTURE_BINDING_1D_ARRAY),
                              NAME(GL_TEXTURE_BINDING_2D_ARRAY),
                              NAME(GL_TEXTURE_BINDING_RECTANGLE),
                              NAME(GL_TEXTURE_BINDING_CUBE_MAP),
                              NAME(GL_TEXTURE_BINDING_CUBE_MAP_ARRAY),
                              NAME(GL_TEXTURE_BINDING_BUFFER),
                              NAME(GL_TEXTURE_BINDING_2D_MULTISAMPLE),
                              NAME(GL_TEXTURE_BINDING_2D_MULTISAMPLE_ARRAY),
                              NAME(GL_SAMPLER_BINDING)};

constexpr std::array queries{NAME(GL_SAMPLES_PASSED),
                             NAME(GL_ANY_SAMPLES_PASSED),
                             NAME(GL_ANY_SAMPLES_PASSED_CONSERVATIVE),
                             NAME(GL_PRIMITIVES_GENERATED),
                             NAME(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN),
                             NAME(GL_TIME_ELAPSED)};

/// Some answers have up to 4 numbers; GL leaves the rest as they were.
using Answer = std::array<GLfloat, 16>;

class Taker {
  public:
    explicit Taker(const Api& gl) : gl_(gl) { clearErrors(); }

    template <class Ask>
    void add(std::string name, Ask ask) {
        std::vector<double> out(16, -12345.0);
        ask(out);
        if (clearErrors()) out_.emplace(std::move(name), std::move(out));
    }
    /// As whole numbers and as fractions: the one loses the fraction, the other large numbers.
    void value(const Name& name, const std::string& where = {}) {
        add(where + name.text, [&](std::vector<double>& out) {
            std::array<GLint64, 16> whole{};
            std::array<GLfloat, 16> fraction{};
            gl_.GetInteger64v(name.value, whole.data());
            gl_.GetFloatv(name.value, fraction.data());
            out.assign(whole.begin(), whole.end());
            out.insert(out.end(), fraction.begin(), fraction.end());
        });
    }
    GLint limit(GLenum what) {
        GLint value = 0;
        gl_.GetIntegerv(what, &value);
        return clearErrors() ? value : 0;
    }
    /// Whether there were none.
    bool clearErrors() {
        bool none = true;
        while (gl_.GetError() != GL_NO_ERROR) none = false;
        return none;
    }
    Snapshot take() { return std::move(out_); }

  private:
    const Api& gl_;
    Snapshot out_;
};

std::string at(const Name& name, GLuint i) { return std::string(name.text) + "[" + std::to_string(i) + "]"; }

}  // namespace

Snapshot snapshot(const Api& gl, bool es) {
    Taker taker(gl);
    for (const Name& name : switches) {
        taker.add(name.text, [&](auto& out) { out[0] = gl.IsEnabled(name.value); });
    }
    for (const Name& name : values) taker.value(name);
    for (const Indexed& group : indexed()) {
        const auto count = static_cast<GLuint>(group.limit ? taker.limit(group.limit) : group.count);
        for (GLuint i = 0; i < count; ++i) {
            for (const Name& name : group.names) {
                taker.add(at(name, i), [&](std::vector<double>& out) {
                    if (!es && (name.value == GL_VIEWPORT || name.value == GL_DEPTH_RANGE)) {
                        std::array<GLdouble, 16> answer{};
                        gl.GetDoublei_v(name.value, i, answer.data());
                        out.assign(answer.begin(), answer.end());
                        return;
                    }
                    std::array<GLint64, 16> answer{};
                    gl.GetInteger64i_v(name.value, i, answer.data());
                    out.assign(answer.begin(), answer.end());
                });
            }
        }
    }
    for (GLuint i = 0; i < 8 && gl.IsEnabledi; ++i) {
        taker.add("GL_BLEND" + std::to_string(i), [&](auto& out) { out[0] = gl.IsEnabledi(GL_BLEND, i); });
        taker.add("GL_SCISSOR_TEST" + std::to_string(i), [&](auto& out) { out[0] = gl.IsEnabledi(GL_SCISSOR_TEST, i); });
    }
    for (GLuint i = 0; i < static_cast<GLuint>(taker.limit(GL_MAX_VERTEX_ATTRIBS)); ++i) {
        for (const Name& name : attributes) {
            taker.add(at(name, i), [&](std::vector<double>& out) {
                Answer answer{};
                gl.GetVertexAttribfv(i, name.value, answer.data());
                out.assign(answer.begin(), answer.end());
            });
        }
    }
    for (const Name& name : queries) {
        taker.add(name.text, [&](auto& out) {
            GLint active = 0;
            gl.GetQueryiv(name.value, GL_CURRENT_QUERY, &active);
            out[0] = active;
        });
    }
    for (const Name& name : {NAME(GL_DEBUG_CALLBACK_FUNCTION), NAME(GL_DEBUG_CALLBACK_USER_PARAM)}) {
        taker.add(name.text, [&](auto& out) {
            void* pointer = nullptr;
            if (gl.GetPointerv) gl.GetPointerv(name.value, &pointer);
            out[0] = static_cast<double>(reinterpret_cast<std::uintptr_t>(pointer));
        });
    }
    const GLint active = taker.limit(GL_ACTIVE_TEXTURE);
    const auto units = static_cast<GLuint>(taker.limit(GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS));
    for (GLuint i = 0; i < units; ++i) {
        gl.ActiveTexture(GL_TEXTURE0 + i);
        for (const Name& name : textures) taker.value(name, std::to_string(i) + " ");
    }
    gl.ActiveTexture(static_cast<GLenum>(active));
    return taker.take();
}

std::string differences(const Snapshot& before, const Snapshot& after) {
    std::ostringstream out;
    for (const auto& [name, values] : before) {
        const auto found = after.find(name);
        if (found == after.end()) {
            out << name << " cannot be asked for any more\n";
            continue;
        }
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (values[i] != found->second[i]) out << name << ": " << values[i] << " is now " << found->second[i] << '\n';
        }
    }
    if (after.size() > before.size()) out << after.size() - before.size() << " more can be asked for\n";
    return out.str();
}

}  // namespace test
