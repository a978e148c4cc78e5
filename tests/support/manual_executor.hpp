#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "stile/detail/gl_executor.hpp"

namespace test {

/// An executor whose time passes, and whose descriptors become readable, only when the test says so.
class ManualExecutor final : public stile::detail::GlExecutor {
  public:
    using Time = std::chrono::steady_clock::time_point;

    bool post(std::function<void()> function) override {
        postAfter({}, std::move(function));
        return true;
    }
    void postAfter(std::chrono::nanoseconds delay, std::function<void()> function) override {
        delays.push_back(delay);
        timers_.push_back({now_ + delay, std::move(function)});
    }
    /// Takes any number for a descriptor.
    [[nodiscard]] std::shared_ptr<void> postWhenReadable(int descriptor, std::chrono::nanoseconds within,
                                                         std::function<void()> function) override {
        if (!awaitsDescriptors) return nullptr;
        const auto handle = std::make_shared<int>(descriptor);
        timers_.push_back({now_ + within, std::move(function), handle, descriptor});
        return handle;
    }
    [[nodiscard]] Time now() const noexcept override { return now_; }
    [[nodiscard]] bool isHere() const noexcept override { return true; }

    /// Runs the timer that is due first, at its time. False if there is none.
    bool step() {
        forget();
        if (timers_.empty()) return false;
        const auto first = std::ranges::min_element(timers_, {}, &Timer::at);
        now_ = std::max(now_, first->at);
        run(first);
        return true;
    }
    void pass(std::chrono::nanoseconds time) {
        const Time end = now_ + time;
        for (forget(); !timers_.empty() && std::ranges::min_element(timers_, {}, &Timer::at)->at <= end; forget()) step();
        now_ = end;
    }
    /// The descriptor becomes readable. False if nobody awaits it.
    bool readable(int descriptor) {
        forget();
        const auto found = std::ranges::find(timers_, descriptor, &Timer::descriptor);
        if (found == timers_.end()) return false;
        run(found);
        return true;
    }
    /// Timers, without those of descriptors.
    [[nodiscard]] std::size_t timers() const noexcept {
        return static_cast<std::size_t>(std::ranges::count(timers_, none, &Timer::descriptor));
    }
    [[nodiscard]] std::vector<int> awaited() {
        forget();
        std::vector<int> out;
        for (const Timer& timer : timers_) {
            if (timer.descriptor != none) out.push_back(timer.descriptor);
        }
        return out;
    }

    std::vector<std::chrono::nanoseconds> delays;
    bool awaitsDescriptors = true;

  private:
    static constexpr int none = -1;
    struct Timer {
        Time at;
        std::function<void()> function;
        std::weak_ptr<void> handle{};
        int descriptor = none;
    };

    /// Called off are those whose handle is gone.
    void forget() {
        std::erase_if(timers_, [](const Timer& timer) { return timer.descriptor != none && timer.handle.expired(); });
    }
    void run(std::vector<Timer>::iterator which) {
        const Timer timer = std::move(*which);
        timers_.erase(which);
        timer.function();
    }

    Time now_{std::chrono::hours(1)};
    std::vector<Timer> timers_;
};

}  // namespace test
