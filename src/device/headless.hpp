#pragma once

#include <memory>

#include "stile/context.hpp"
#include "stile/device.hpp"

namespace stile::detail {

/// The library's own context for a device, current on the calling thread, which is to be its GL thread.
/// \throws Error `no_context` that lists every attempt.
[[nodiscard]] std::shared_ptr<GlContext> openHeadless(const DeviceOptions& options);

}  // namespace stile::detail
