#pragma once

#include <asio/post.hpp>
#include <asio/steady_timer.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include <stile/detail/gl_executor.hpp>
#include <stile/detail/loop_registry.hpp>
#include <stile/detail/readable.hpp>
#include <stile/device.hpp>
#include <stile/export.hpp>

namespace stile STILE_EXPORT {

namespace detail {

/// GL on the application's loop. After the loop is gone, what is posted is dropped.
template <class Executor>
class LoopExecutor final : public GlExecutor {
  public:
    explicit LoopExecutor(const Executor& executor)
        : executor_(executor), registry_(registryOf(executor)), thread_(std::this_thread::get_id()) {}

    bool post(std::function<void()> function) override {
        const std::lock_guard lock(registry_->mutex);
        if (registry_->isClosed()) return false;
        asio::post(executor_, std::move(function));
        return true;
    }
    void postAfter(std::chrono::nanoseconds delay, std::function<void()> function) override {
        const std::lock_guard lock(registry_->mutex);
        if (registry_->isClosed()) return;
        using Timer =
            asio::basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>, Executor>;
        auto timer = std::make_shared<Timer>(executor_, std::chrono::duration_cast<std::chrono::steady_clock::duration>(delay));
        timer->async_wait([timer, function = std::move(function)](const asio::error_code& error) {
            if (!error) function();
        });
    }
    [[nodiscard]] std::shared_ptr<void> postWhenReadable(int descriptor, std::chrono::nanoseconds within,
                                                         std::function<void()> function) override {
        const std::lock_guard lock(registry_->mutex);
        return registry_->isClosed() ? nullptr : awaitReadable(executor_, descriptor, within, std::move(function));
    }
    [[nodiscard]] bool isHere() const noexcept override { return std::this_thread::get_id() == thread_; }

  private:
    Executor executor_;
    std::shared_ptr<LoopRegistry> registry_;
    std::thread::id thread_;
};

}  // namespace detail

template <class Executor>
Device Device::attach(const Executor& executor, std::function<void*(const char*)> loader, const DeviceOptions& options) {
    return attachTo(std::make_unique<detail::LoopExecutor<Executor>>(executor), loader, options);
}

}  // namespace stile
