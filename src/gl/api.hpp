#pragma once

#include <glad/gl.h>

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "stile/error.hpp"

namespace stile::gl {

/// The functions of one context. Desktop GL and GLES share the table; where an extension brings a core function under a
/// suffixed name, `loadApi` fills in the plain one.
using Api = GladGLContext;
using Loader = std::function<void*(const char*)>;

/// What is known of a context beside its functions; `Api::userptr` points at it. On the GL executor only.
struct Health {
    /// Whether it has been found lost once: a driver need not report a reset twice.
    bool lost = false;
    /// A sync object of the context's own, by which it is told from another one that the application has made current instead.
    GLsync mark = nullptr;
};

/// Loads the functions of the context that is current on this thread.
/// \throws Error `no_context` if it is older than GL 4.3 or GLES 3.1.
[[nodiscard]] Api loadApi(const Loader& loader, bool es, Health* health = nullptr);

/// The errors that GL holds, as text; empty if there are none. Clears them.
[[nodiscard]] std::string takeError(const Api& gl);

/// What GL has complained of since the last `take`. Code that wants to know whether its own command failed puts what was there
/// before aside with `keep`, so that it is not lost.
class ErrorLedger {
  public:
    explicit ErrorLedger(const Api& gl) noexcept : gl_(gl) {}
    void keep();
    [[nodiscard]] std::string take();

  private:
    const Api& gl_;
    std::string kept_;
};

/// The code that fits such a text: `out_of_memory`, `device_lost`, or `gl_error`.
[[nodiscard]] errc codeOf(std::string_view words) noexcept;

/// Whether the context has stopped working: it is not current any more, or has reported a graphics reset. Once so, always so.
[[nodiscard]] bool isLost(const Api& gl);
/// For whoever finds out by other means.
void setLost(const Api& gl);

}  // namespace stile::gl
