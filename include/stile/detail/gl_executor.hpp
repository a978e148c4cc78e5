#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include <stile/export.hpp>

namespace stile::detail {

/// The executor on which GL may be called: a thread of the library's own, or the application's loop. Functions run one after
/// another, in the order in which they were posted. All of it may be called from any thread, except where said.
class STILE_EXPORT GlExecutor {
  public:
    using Time = std::chrono::steady_clock::time_point;
    virtual ~GlExecutor() = default;
    /// False if nothing will run here any more.
    virtual bool post(std::function<void()> function) = 0;
    virtual void postAfter(std::chrono::nanoseconds delay, std::function<void()> function) = 0;
    /// Calls the function once, when the descriptor is readable or after `within`, unless the result has been dropped before, on
    /// this executor. Takes the descriptor over; null, and the descriptor stays the caller's, where it cannot be awaited. On the
    /// executor only.
    [[nodiscard]] virtual std::shared_ptr<void> postWhenReadable(int descriptor, std::chrono::nanoseconds within,
                                                                 std::function<void()> function) {
        (void)descriptor, (void)within, (void)function;
        return nullptr;
    }
    /// The clock of `postAfter`.
    [[nodiscard]] virtual Time now() const noexcept { return std::chrono::steady_clock::now(); }
    /// Whether that clock is not the computer's: then the deadlines of calls go by it too.
    [[nodiscard]] virtual bool hasOwnTime() const noexcept { return false; }
    /// Whether the calling thread is the one that GL is called on.
    [[nodiscard]] virtual bool isHere() const noexcept = 0;
};

}  // namespace stile::detail
