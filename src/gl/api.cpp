#include "gl/api.hpp"

#include <fmt/format.h>

namespace stile::gl {
namespace {

GLADapiproc call(void* loader, const char* name) {
    return reinterpret_cast<GLADapiproc>((*static_cast<const Loader*>(loader))(name));
}

template <class Function>
void fallBack(Function& core, Function suffixed) {
    if (!core) core = suffixed;
}

}  // namespace

Api loadApi(const Loader& loader, bool es, Health* health) {
    Api gl{};
    void* user = const_cast<Loader*>(&loader);
    const int version = es ? gladLoadGLES2ContextUserPtr(&gl, call, user) : gladLoadGLContextUserPtr(&gl, call, user);
    const int major = GLAD_VERSION_MAJOR(version), minor = GLAD_VERSION_MINOR(version);
    const int needMajor = es ? 3 : 4, needMinor = es ? 1 : 3;
    if (version == 0 || major < needMajor || (major == needMajor && minor < needMinor)) {
        throw Error(errc::no_context, fmt::format("the context is {} {}.{}; {} {}.{} or later is needed", es ? "GLES" : "GL",
                                                  major, minor, es ? "GLES" : "GL", needMajor, needMinor));
    }
    gl.userptr = health;
    fallBack(gl.BufferStorage, gl.BufferStorageEXT);
    fallBack(gl.TexBuffer, gl.TexBufferEXT);
    fallBack(gl.TexBuffer, gl.TexBufferOES);
    fallBack(gl.DebugMessageCallback, gl.DebugMessageCallbackKHR);
    fallBack(gl.QueryCounter, gl.QueryCounterEXT);
    fallBack(gl.GetQueryObjectui64v, gl.GetQueryObjectui64vEXT);
    fallBack(gl.GetGraphicsResetStatus, gl.GetGraphicsResetStatusKHR);
    fallBack(gl.GetGraphicsResetStatus, gl.GetGraphicsResetStatusEXT);
    return gl;
}

std::string takeError(const Api& gl) {
    std::string text;
    // A lost context may answer with an error for ever.
    for (int i = 0; i < 8; ++i) {
        const GLenum code = gl.GetError();
        if (code == GL_NO_ERROR) break;
        if (!text.empty()) text += ", ";
        switch (code) {
            case GL_INVALID_ENUM: text += "GL_INVALID_ENUM"; break;
            case GL_INVALID_VALUE: text += "GL_INVALID_VALUE"; break;
            case GL_INVALID_OPERATION: text += "GL_INVALID_OPERATION"; break;
            case GL_INVALID_FRAMEBUFFER_OPERATION: text += "GL_INVALID_FRAMEBUFFER_OPERATION"; break;
            case GL_OUT_OF_MEMORY: text += "GL_OUT_OF_MEMORY"; break;
            case GL_CONTEXT_LOST:
                text += "GL_CONTEXT_LOST";
                setLost(gl);
                break;
            default: text += fmt::format("GL error 0x{:04x}", code);
        }
    }
    return text;
}

void ErrorLedger::keep() {
    const std::string words = takeError(gl_);
    if (!words.empty() && kept_.size() < 1000) kept_ += (kept_.empty() ? "" : ", ") + words;
}

std::string ErrorLedger::take() {
    keep();
    return std::exchange(kept_, {});
}

errc codeOf(std::string_view words) noexcept {
    if (words.find("CONTEXT_LOST") != std::string_view::npos) return errc::device_lost;
    if (words.find("OUT_OF_MEMORY") != std::string_view::npos) return errc::out_of_memory;
    return errc::gl_error;
}

bool isLost(const Api& gl) {
    const auto* health = static_cast<const Health*>(gl.userptr);
    if (health && health->lost) return true;
    // Without a current context every query answers nothing.
    const bool lost = !gl.GetString(GL_VERSION) || (gl.GetGraphicsResetStatus && gl.GetGraphicsResetStatus() != GL_NO_ERROR) ||
                      (health && health->mark && !gl.IsSync(health->mark));
    if (lost) setLost(gl);
    return lost;
}

void setLost(const Api& gl) {
    if (gl.userptr) static_cast<Health*>(gl.userptr)->lost = true;
}

}  // namespace stile::gl
