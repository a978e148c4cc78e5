#pragma once

#include <asio/awaitable.hpp>

#include <chrono>
#include <functional>
#include <vector>

namespace jank {

using Clock = std::chrono::steady_clock;

/// Something that was due at a moment, and the moment at which the loop got to it.
struct Tick {
    Clock::time_point due, seen;
    [[nodiscard]] Clock::duration lateness() const noexcept { return seen - due; }
};

/// Records a tick each `period` for as long as `running`, on the loop that it is spawned on. The due times are fixed at the
/// start: after a standstill every tick that was due meanwhile is recorded, with the whole of its delay. `each` is called once
/// for each time that the loop gets here.
asio::awaitable<void> beat(Clock::duration period, const bool& running, std::vector<Tick>& ticks,
                           std::function<void()> each = {});

}  // namespace jank
