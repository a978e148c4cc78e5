#pragma once

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <array>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

namespace test {

/// An application's GL context: headless, current on the thread that makes it.
class OwnContext {
  public:
    OwnContext() {
        const char* api = std::getenv("STILE_API");
        es_ = api && std::string_view(api) == "es";
        const auto getDisplay =
            reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
        display_ = getDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
        eglBindAPI(es_ ? EGL_OPENGL_ES_API : EGL_OPENGL_API);
        const std::array<EGLint, 5> attributes{EGL_CONTEXT_MAJOR_VERSION, es_ ? 3 : 4, EGL_CONTEXT_MINOR_VERSION, es_ ? 1 : 3,
                                               EGL_NONE};
        if (!eglInitialize(display_, nullptr, nullptr)) throw std::runtime_error("eglInitialize");
        context_ = eglCreateContext(display_, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes.data());
        if (context_ == EGL_NO_CONTEXT) throw std::runtime_error("eglCreateContext");
        if (!eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_)) throw std::runtime_error("eglMakeCurrent");
    }
    ~OwnContext() { destroy(); }
    OwnContext(const OwnContext&) = delete;
    OwnContext& operator=(const OwnContext&) = delete;

    void destroy() {
        if (context_ == EGL_NO_CONTEXT) return;
        eglBindAPI(es_ ? EGL_OPENGL_ES_API : EGL_OPENGL_API);
        eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglDestroyContext(display_, context_);
        context_ = EGL_NO_CONTEXT;
    }
    [[nodiscard]] bool es() const noexcept { return es_; }
    [[nodiscard]] static void* load(const char* name) { return reinterpret_cast<void*>(eglGetProcAddress(name)); }

  private:
    bool es_ = false;
    EGLDisplay display_ = EGL_NO_DISPLAY;
    EGLContext context_ = EGL_NO_CONTEXT;
};

}  // namespace test
