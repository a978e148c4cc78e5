#pragma once

#include <memory>

#include <stile/attach.hpp>
#include <stile/context.hpp>
#include <stile/device.hpp>
#include <stile/export.hpp>

struct GLFWwindow;

/// Tensors in the context of a GLFW window: an optional part of the library, stile-glfw, that needs GLFW 3.3.
///
/// Both functions are called on the main thread, as GLFW asks of everything that has to do with windows, between glfwInit and
/// glfwTerminate; the devices are closed there before glfwTerminate too.
namespace stile::glfw {

/// What the template below needs of GLFW.
namespace detail {
/// \throws Error `no_context` unless the window's context is current on this thread.
STILE_EXPORT void expectCurrent(GLFWwindow* window);
/// glfwGetProcAddress.
[[nodiscard]] STILE_EXPORT void* procAddress(const char* name);
}  // namespace detail

/// A device in the window's own context, with GL called on `executor`, a loop that only this thread runs. The application
/// draws in the same context and finds its GL state as it left it. The window must outlive the device, and its context must be
/// current on this thread whenever the loop runs. For GPUs; on software GL the kernels stop the loop, and a device on a GL
/// thread is the better one (`Device::open`, if need be with `sharedContext`).
///
/// GL: 4.3 core, or GLES 3.1. See Device::attach.
/// \throws Error `no_context` if the window's context is not current on this thread, or is older.
template <class Executor>
[[nodiscard]] Device attach(const Executor& executor, GLFWwindow* window, const DeviceOptions& options = {}) {
    detail::expectCurrent(window);
    return Device::attach(executor, detail::procAddress, options);
}

/// A context that shares buffers, textures, programs and fences with `window`, for a device on a GL thread:
///
///     stile::Device device = stile::Device::open({.context = stile::glfw::sharedContext(window)});
///
/// It belongs to a hidden window and speaks the API and version of `window`, whose context may not be current on another
/// thread during this call. GLFW's window hints are at their defaults afterwards. The hidden window is destroyed with the
/// last reference; the device lets go of its own when it is closed. Closing `window` first is allowed. Software renderers
/// have made their workers by then, so the device cannot lower their priority.
///
/// GL: 4.3 core, or GLES 3.1, which Device::open checks.
/// \throws Error `no_context` with GLFW's words if the window has no GL context or the hidden one cannot be made.
[[nodiscard]] STILE_EXPORT std::shared_ptr<GlContext> sharedContext(GLFWwindow* window);

}  // namespace stile::glfw
