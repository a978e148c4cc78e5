#pragma once

#include <optional>

#include "stile/sync.hpp"

namespace stile::detail {

/// What STILE_SYNC asks for, above everything else.
[[nodiscard]] std::optional<SyncPolicy> forcedSyncPolicy();

/// The policy for the calling thread, where nothing is forced.
[[nodiscard]] SyncPolicy syncPolicyHere(SyncPolicy ofDevice);

}  // namespace stile::detail
