#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>

#include "gl/counters.hpp"
#include "gl/fence.hpp"
#include "stile/detail/gl_executor.hpp"

namespace stile::download {

using Clock = std::chrono::steady_clock;

/// How a watched fence ended.
enum class FenceEnd : std::uint8_t { signalled, failed, lost, timedOut };

/// Watches the fences of one context without blocking. Fences of one context signal in order, so only the oldest is looked
/// at, when its descriptor becomes readable or, where it has none, when a timer says so. While there are fences one of the two
/// is armed, else none. Everything on the GL executor.
class Poller : public std::enable_shared_from_this<Poller> {
  public:
    using Done = std::function<void(FenceEnd)>;

    /// A fence that is pending for longer than `deadline` is reported as timed out, once, and watched on: what it guards must
    /// live until the GPU is done with it. `done` is then called a second time with how it ended.
    Poller(gl::FenceSource& fences, detail::GlExecutor& executor, Clock::duration deadline, gl::Counters& counters);

    /// Takes over a fence, looks at it at once and calls `done` when it has ended, maybe before this returns.
    void watch(gl::Fence fence, Done done);
    /// Looks now.
    void look();
    /// Waits in GL for the oldest fence, at most so long, then looks. Only for callers that block by contract.
    void waitForOldest(Clock::duration atMost);
    /// Forgets all fences, removing them from the context unless it is lost, without calling anybody.
    void clear(bool contextIsLost);

    [[nodiscard]] std::size_t pending() const noexcept { return watched_.size(); }
    [[nodiscard]] bool armed() const noexcept { return armed_; }
    /// Whether the oldest fence has been reported as timed out.
    [[nodiscard]] bool isStuck() const noexcept { return !watched_.empty() && watched_.front().reported; }

    static constexpr Clock::duration shortestDelay = std::chrono::microseconds(50);
    static constexpr Clock::duration longestDelay = std::chrono::milliseconds(2);

  private:
    struct Watched {
        gl::Fence fence;
        Done done;
        Clock::time_point since;
        bool reported = false;  ///< as timed out
    };

    void arm();
    void disarm();
    [[nodiscard]] Clock::duration untilDeadline(Clock::time_point now) const;
    [[nodiscard]] Clock::duration delay(Clock::time_point now) const;

    gl::FenceSource& fences_;
    detail::GlExecutor& executor_;
    Clock::duration deadline_;
    gl::Counters& counters_;
    std::deque<Watched> watched_;
    Clock::duration usual_{0};  ///< how long such work took lately
    bool armed_ = false;
    std::shared_ptr<void> readable_;  ///< the wait for the oldest fence's descriptor; null while a timer is armed
    bool early_ = false;              ///< the last descriptor was readable before its fence had ended
};

}  // namespace stile::download
