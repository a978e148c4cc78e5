#pragma once

#include <string>

namespace stile::detail {

class DeviceCore;

/// Device::report.
[[nodiscard]] std::string reportOf(const DeviceCore& core);

}  // namespace stile::detail
