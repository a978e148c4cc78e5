#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>
#include <vector>

#include "stile/detail/gl_executor.hpp"

namespace test {

/// An executor whose time passes only when the test says so.
class ManualExecutor final : public stile::detail::GlExecutor {
  public:
    using Time = std::chrono::steady_clock::time_point;

    void post(std::function<void()> function) override { postAfter({}, std::move(function)); }
    void postAfter(std::chrono::nanoseconds delay, std::function<void()> function) override {
        delays.push_back(delay);
        timers_.push_back({now_ + delay, std::move(function)});
    }
    [[nodiscard]] Time now() const noexcept override { return now_; }
    [[nodiscard]] bool isHere() const noexcept override { return true; }

    /// Runs the timer that is due first, at its time. False if there is none.
    bool step() {
        if (timers_.empty()) return false;
        const auto first = std::ranges::min_element(timers_, {}, &Timer::at);
        const Timer timer = std::move(*first);
        timers_.erase(first);
        now_ = std::max(now_, timer.at);
        timer.function();
        return true;
    }
    void pass(std::chrono::nanoseconds time) {
        const Time end = now_ + time;
        while (!timers_.empty() && std::ranges::min_element(timers_, {}, &Timer::at)->at <= end) step();
        now_ = end;
    }
    [[nodiscard]] std::size_t timers() const noexcept { return timers_.size(); }

    std::vector<std::chrono::nanoseconds> delays;

  private:
    struct Timer {
        Time at;
        std::function<void()> function;
    };
    Time now_{std::chrono::hours(1)};
    std::vector<Timer> timers_;
};

}  // namespace test
