#pragma once

#include <memory>

#include "stile/context.hpp"

namespace stile::gl {

/// Which headless context to make.
struct HeadlessOptions {
    int deviceIndex = -1;  ///< an EGL device; -1 tries hardware, surfaceless, then anything
    bool es = false;
    bool debug = false;
};

/// Whether the machine has no other renderer than its CPU, as far as can be known before one is started.
[[nodiscard]] bool onlySoftware();

/// A headless EGL context, current on the calling thread. \throws Error `no_context` with every attempt and why it failed.
[[nodiscard]] std::unique_ptr<GlContext> openHeadless(const HeadlessOptions& options);

}  // namespace stile::gl
