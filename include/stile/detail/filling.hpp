#pragma once

#include <cstddef>

#include <stile/export.hpp>

namespace stile::detail {

/// Memory that nobody has touched will be filled from end to end: asks the system for pages of a size that suits that. Most of a
/// large copy's time goes into fetching pages of 4 KiB one by one.
STILE_EXPORT void expectFilling(void* memory, std::size_t bytes) noexcept;

}  // namespace stile::detail
