#include <asio/post.hpp>

#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "stile/detail/gl_executor.hpp"
#include "stile/testing.hpp"

namespace stile::testing {

/// Posts to the loop; keeps a time of its own.
class FakeDevice::Executor final : public detail::GlExecutor {
  public:
    explicit Executor(asio::io_context& loop) : loop_(loop) {}

    bool post(std::function<void()> function) override {
        asio::post(loop_, std::move(function));
        return true;
    }
    void postAfter(std::chrono::nanoseconds delay, std::function<void()> function) override {
        const std::lock_guard lock(mutex_);
        timers_.emplace(time_ + delay, std::move(function));
    }
    [[nodiscard]] Time now() const noexcept override {
        const std::lock_guard lock(mutex_);
        return time_;
    }
    [[nodiscard]] bool isHere() const noexcept override { return std::this_thread::get_id() == thread_; }
    [[nodiscard]] bool hasOwnTime() const noexcept override { return true; }

    /// Runs the timer that is due first, at its time, if that is not after `end`.
    bool step(Time end) {
        std::function<void()> function;
        {
            const std::lock_guard lock(mutex_);
            if (timers_.empty() || timers_.begin()->first > end) return false;
            time_ = std::max(time_, timers_.begin()->first);
            function = std::move(timers_.begin()->second);
            timers_.erase(timers_.begin());
        }
        function();
        return true;
    }
    void passUntil(Time end) {
        const std::lock_guard lock(mutex_);
        time_ = end;
    }

  private:
    asio::io_context& loop_;
    std::thread::id thread_ = std::this_thread::get_id();
    mutable std::mutex mutex_;
    Time time_{};
    std::multimap<Time, std::function<void()>> timers_;
};

FakeDevice::FakeDevice(asio::io_context& loop, Script script, DeviceOptions options)
    : loop_(loop), context_(std::make_shared<ScriptedContext>()) {
    auto executor = std::make_unique<Executor>(loop);
    executor_ = executor.get();
    options.diskCache = false;
    context_->makeCurrent();
    device_.emplace(Device::attachTo(std::move(executor), context_->loader(), options));
    context_->set(std::move(script));  // numbers count from here: an attached device makes a fence when it is opened
}
FakeDevice::~FakeDevice() { device_.reset(); }

std::chrono::nanoseconds FakeDevice::now() const noexcept { return executor_->now().time_since_epoch(); }

void FakeDevice::advance(std::chrono::nanoseconds time) {
    const auto end = executor_->now() + time;
    const auto ready = [this] {
        loop_.restart();
        while (loop_.poll() > 0) {
        }
    };
    ready();
    while (executor_->step(end)) ready();
    executor_->passUntil(end);
}

void FakeDevice::run() {
    using Time = std::chrono::steady_clock::time_point;
    for (;;) {
        loop_.restart();
        if (loop_.poll() > 0) continue;
        if (loop_.stopped()) return;
        // Work is outstanding but nothing is ready: the device's next event comes, or else one of the outer world.
        if (!executor_->step(Time::max())) loop_.run_one();
    }
}

}  // namespace stile::testing
