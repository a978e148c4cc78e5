#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <stile/detail/loop_registry.hpp>
#include <stile/export.hpp>

namespace stile::detail {

/// A completion runs on this thread now: it is not ready any more, and the thread is the one that runs the loop.
STILE_EXPORT void ranHere(const std::shared_ptr<LoopRegistry>& registry) noexcept;

/// How many completions are ready on the loop that the calling thread runs. None if that is not known: no completion has run
/// here yet, or another thread runs the loop too.
[[nodiscard]] STILE_EXPORT std::optional<std::int64_t> readyHere() noexcept;

}  // namespace stile::detail
