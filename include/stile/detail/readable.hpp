#pragma once

#include <asio/error.hpp>
#include <asio/error_code.hpp>
#include <asio/posix/basic_stream_descriptor.hpp>
#include <asio/posix/descriptor_base.hpp>
#include <asio/steady_timer.hpp>
#include <asio/system_error.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <utility>

namespace stile::detail {

/// A wait for a descriptor or a timer, whichever comes first. It is owned by its two handlers, so it goes with the execution
/// context at the latest.
template <class Executor>
class ReadableWait : public std::enable_shared_from_this<ReadableWait<Executor>> {
  public:
    ReadableWait(const Executor& executor, int descriptor, std::chrono::nanoseconds within, std::function<void()> function)
        : descriptor_(executor, descriptor),
          timer_(executor, std::chrono::duration_cast<std::chrono::steady_clock::duration>(within)),
          function_(std::move(function)) {}

    void start() {
        const auto handler = [self = this->shared_from_this()](const asio::error_code& error) {
            // Called off, or the other one came first; what had been queued by then still arrives here. A descriptor that
            // cannot be awaited after all counts as readable.
            if (error == asio::error::operation_aborted || !self->function_) return;
            const auto function = std::exchange(self->function_, nullptr);
            self->stop();
            function();
        };
        descriptor_.async_wait(asio::posix::descriptor_base::wait_read, handler);
        timer_.async_wait(handler);
    }
    void stop() noexcept {
        function_ = nullptr;
        asio::error_code ignored;
        descriptor_.close(ignored);
        timer_.cancel();
    }

  private:
    using Timer = asio::basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>, Executor>;
    asio::posix::basic_stream_descriptor<Executor> descriptor_;
    Timer timer_;
    std::function<void()> function_;
};

/// See GlExecutor::postWhenReadable.
template <class Executor>
[[nodiscard]] std::shared_ptr<void> awaitReadable(const Executor& executor, int descriptor, std::chrono::nanoseconds within,
                                                  std::function<void()> function) {
    struct Handle {
        explicit Handle(const std::shared_ptr<ReadableWait<Executor>>& wait) : wait_(wait) {}
        ~Handle() {
            if (const auto wait = wait_.lock()) wait->stop();
        }
        Handle(const Handle&) = delete;
        Handle& operator=(const Handle&) = delete;
        std::weak_ptr<ReadableWait<Executor>> wait_;
    };
    try {
        const auto wait = std::make_shared<ReadableWait<Executor>>(executor, descriptor, within, std::move(function));
        wait->start();
        return std::make_shared<Handle>(wait);
    } catch (const asio::system_error&) {
        return nullptr;  // a kind of descriptor that the reactor does not take
    }
}

}  // namespace stile::detail
