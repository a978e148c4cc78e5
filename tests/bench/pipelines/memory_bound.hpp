#pragma once

#include <cstddef>

#include "timing.hpp"

namespace bench {

/// The STREAM triad (McCalpin, "Memory bandwidth and machine balance in current high performance computers", 1995), a = b + 3 c, on all
/// cores, over arrays of together so many bytes; then a copy of `result` bytes into fresh memory, which a download needs.
[[nodiscard]] Side triadThenCopy(std::size_t bytes, std::size_t result);

/// A copy of so many bytes into memory that was never touched before.
[[nodiscard]] Side copyIntoFresh(std::size_t bytes);

}  // namespace bench
