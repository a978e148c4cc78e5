#pragma once

#include <stile/export.hpp>

namespace stile STILE_EXPORT {

/// A GL context that a device may take to its GL thread: the library's own headless one, or a window's shared one
/// (<stile/glfw.hpp>). Derive from it to bring a context of your own.
///
/// Its functions are called on the GL thread; the device lets go of it on the thread that closes the device, when the context
/// is current nowhere.
class GlContext {
  public:
    virtual ~GlContext() = default;
    /// Makes it current on the calling thread. \throws Error `no_context` if that fails.
    virtual void makeCurrent() = 0;
    /// Leaves the calling thread without a context.
    virtual void doneCurrent() noexcept = 0;
    /// The address of a GL function; null if there is none.
    [[nodiscard]] virtual void* procAddress(const char* name) const = 0;
    /// Whether it is a GLES context.
    [[nodiscard]] virtual bool es() const noexcept = 0;
};

}  // namespace stile
