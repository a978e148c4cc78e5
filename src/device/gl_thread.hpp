#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "stile/detail/gl_executor.hpp"

namespace stile::detail {

/// A thread for GL calls: runs posted functions and timers on an event loop of its own until `stop`.
class GlThread final : public GlExecutor {
  public:
    GlThread();
    /// Stops and joins; the thread must not destroy itself.
    ~GlThread() override;
    GlThread(const GlThread&) = delete;
    GlThread& operator=(const GlThread&) = delete;

    bool post(std::function<void()> function) override;
    void postAfter(std::chrono::nanoseconds delay, std::function<void()> function) override;
    [[nodiscard]] std::shared_ptr<void> postWhenReadable(int descriptor, std::chrono::nanoseconds within,
                                                         std::function<void()> function) override;
    [[nodiscard]] bool isHere() const noexcept override;
    /// Runs what has been posted, then ends the thread. Functions posted later are destroyed unrun.
    void stop();

  private:
    struct Loop;
    std::unique_ptr<Loop> loop_;
};

/// Names the calling thread as the library's. Threads inherit their maker's name, so this comes after the driver made its own.
void nameThread() noexcept;

/// Lowers the priority of the calling thread, and so of the threads that it will make.
void lowerThreadPriority() noexcept;

}  // namespace stile::detail
