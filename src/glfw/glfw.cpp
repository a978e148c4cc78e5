#include "stile/glfw.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <memory>
#include <string>
#include <utility>

#include "stile/error.hpp"

namespace stile::glfw {
namespace {

/// GLFW's last error on this thread, in its words.
std::string lastError() {
    const char* words = nullptr;
    return glfwGetError(&words) == GLFW_NO_ERROR || !words ? "no reason given" : words;
}

struct DestroyWindow {
    void operator()(GLFWwindow* window) const noexcept { glfwDestroyWindow(window); }
};
using HiddenWindow = std::unique_ptr<GLFWwindow, DestroyWindow>;

class WindowContext final : public GlContext {
  public:
    WindowContext(HiddenWindow window, bool es) : window_(std::move(window)), es_(es) {}

    void makeCurrent() override {
        glfwMakeContextCurrent(window_.get());
        if (glfwGetCurrentContext() != window_.get()) {
            throw Error(errc::no_context, "glfwMakeContextCurrent: " + lastError());
        }
    }
    void doneCurrent() noexcept override { glfwMakeContextCurrent(nullptr); }
    [[nodiscard]] void* procAddress(const char* name) const override { return detail::procAddress(name); }
    [[nodiscard]] bool es() const noexcept override { return es_; }

  private:
    HiddenWindow window_;
    bool es_;
};

}  // namespace

void detail::expectCurrent(GLFWwindow* window) {
    if (!window || glfwGetCurrentContext() != window) {
        throw Error(errc::no_context, "glfw::attach: the window's context is not current on this thread");
    }
}

void* detail::procAddress(const char* name) { return reinterpret_cast<void*>(glfwGetProcAddress(name)); }

std::shared_ptr<GlContext> sharedContext(GLFWwindow* window) {
    const int api = window ? glfwGetWindowAttrib(window, GLFW_CLIENT_API) : GLFW_NO_API;
    if (api == GLFW_NO_API) throw Error(errc::no_context, "glfw::sharedContext: the window has no GL context");

    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    // Contexts share only with their like.
    for (const int attribute :
         {GLFW_CLIENT_API, GLFW_CONTEXT_CREATION_API, GLFW_CONTEXT_VERSION_MAJOR, GLFW_CONTEXT_VERSION_MINOR,
          GLFW_OPENGL_PROFILE, GLFW_OPENGL_FORWARD_COMPAT, GLFW_OPENGL_DEBUG_CONTEXT, GLFW_CONTEXT_ROBUSTNESS}) {
        glfwWindowHint(attribute, glfwGetWindowAttrib(window, attribute));
    }
    HiddenWindow hidden(glfwCreateWindow(1, 1, "stile", nullptr, window));
    const std::string reason = hidden ? std::string() : lastError();
    glfwDefaultWindowHints();
    if (!hidden) throw Error(errc::no_context, "glfw::sharedContext: " + reason);
    return std::make_shared<WindowContext>(std::move(hidden), api == GLFW_OPENGL_ES_API);
}

}  // namespace stile::glfw
