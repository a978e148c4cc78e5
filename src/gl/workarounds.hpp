#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace stile::gl {

struct Driver;

/// Named departures from the plain way, each because of a driver. Their stories are in workarounds.cpp; docs/drivers.md
/// lists them; STILE_DISABLE_WORKAROUNDS=name,name turns them off.
enum class Workaround : std::uint8_t {
    lowerThreadPriority,
    readThroughTextures,
    opaqueParameters,
    copiedParameters,
    noWaitingThread,
    twoFences,
};

struct WorkaroundInfo {
    Workaround id;
    std::string_view name;
    std::string_view story;
    bool (*applies)(const Driver& driver);
};

[[nodiscard]] std::span<const WorkaroundInfo> workarounds() noexcept;
/// Whether it applies to the driver and is not disabled.
[[nodiscard]] bool isOn(Workaround id, const Driver& driver);

}  // namespace stile::gl
