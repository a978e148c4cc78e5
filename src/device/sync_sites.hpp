#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <source_location>

namespace stile::detail {

/// Remembers that a call has blocked, and logs a warning if it is the first at this place. `ready`: how many completions of
/// the library's operations this thread's loop could have run at the end, if that is known.
void warnBlocked(const char* call, std::source_location where, std::chrono::steady_clock::duration blocked,
                 std::optional<std::int64_t> ready);

}  // namespace stile::detail
