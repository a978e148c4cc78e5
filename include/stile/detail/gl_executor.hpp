#pragma once

#include <chrono>
#include <functional>

#include <stile/export.hpp>

namespace stile::detail {

/// The executor on which GL may be called: a thread of the library's own, or the application's loop. Functions run one after
/// another, in the order in which they were posted. All of it may be called from any thread.
class STILE_EXPORT GlExecutor {
  public:
    using Time = std::chrono::steady_clock::time_point;
    virtual ~GlExecutor() = default;
    virtual void post(std::function<void()> function) = 0;
    virtual void postAfter(std::chrono::nanoseconds delay, std::function<void()> function) = 0;
    /// The clock of `postAfter`.
    [[nodiscard]] virtual Time now() const noexcept { return std::chrono::steady_clock::now(); }
    /// Whether that clock is not the computer's: then the deadlines of calls go by it too.
    [[nodiscard]] virtual bool hasOwnTime() const noexcept { return false; }
    /// Whether the calling thread is the one that GL is called on.
    [[nodiscard]] virtual bool isHere() const noexcept = 0;
};

}  // namespace stile::detail
