#pragma once

#include <glad/gl.h>

#include <functional>
#include <string>

namespace stile::gl {

/// The functions of one context. Desktop GL and GLES share the table; where an extension brings a core function under a
/// suffixed name, `loadApi` fills in the plain one.
using Api = GladGLContext;
using Loader = std::function<void*(const char*)>;

/// Loads the functions of the context that is current on this thread.
/// \throws Error `no_context` if it is older than GL 4.3 or GLES 3.1.
[[nodiscard]] Api loadApi(const Loader& loader, bool es);

/// The last error as text, or empty. Clears it.
[[nodiscard]] std::string takeError(const Api& gl);

/// Whether the context still works: asks for a graphics reset where the context can tell.
[[nodiscard]] bool isLost(const Api& gl);

}  // namespace stile::gl
