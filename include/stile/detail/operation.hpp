#pragma once

#include <asio/associated_allocator.hpp>
#include <asio/associated_cancellation_slot.hpp>
#include <asio/associated_executor.hpp>
#include <asio/cancellation_type.hpp>
#include <asio/error.hpp>
#include <asio/executor_work_guard.hpp>
#include <asio/post.hpp>
#include <asio/steady_timer.hpp>
#include <asio/system_executor.hpp>

#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include <stile/detail/loop_registry.hpp>
#include <stile/detail/waiter.hpp>
#include <stile/error.hpp>

namespace stile::detail {

/// One pending asynchronous operation. `Convert` makes the tuple of results from the downloaded values, on the thread that
/// settles; the handler gets `(std::exception_ptr, results…)`, posted to its executor.
///
/// Owned by whoever may still touch it: the device while the work is pending, the posted completion afterwards.
template <class Handler, class Convert>
class Operation final : public Waiter, public Pending, public std::enable_shared_from_this<Operation<Handler, Convert>> {
  public:
    using Executor = asio::associated_executor_t<Handler>;
    using Results = std::invoke_result_t<Convert&, std::span<const RawValues>>;
    using Timer = asio::basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>, Executor>;

    Operation(Handler handler, Convert convert, const char* name)
        : executor_(asio::get_associated_executor(handler)),
          registry_(registryOf(executor_)),
          convert_(std::move(convert)),
          name_(name) {
        live_.emplace(std::move(handler), executor_);
    }

    /// Begins to listen for cancellation, the deadline and the end of the context. False if the context is going.
    [[nodiscard]] bool start(std::chrono::nanoseconds deadline) {
        const std::lock_guard lock(registry_->mutex);
        if (!registry_->add(*this)) {
            settled_ = true;
            return false;
        }
        const std::weak_ptr<Operation> weak = this->weak_from_this();
        auto slot = asio::get_associated_cancellation_slot(live_->handler);
        if (slot.is_connected()) {
            slot.assign([weak](asio::cancellation_type type) {
                if ((type & (asio::cancellation_type::terminal | asio::cancellation_type::partial |
                             asio::cancellation_type::total)) == asio::cancellation_type::none) {
                    return;
                }
                if (const auto self = weak.lock()) self->cancel();
            });
        }
        if (deadline > std::chrono::nanoseconds::zero()) {
            live_->timer.emplace(executor_, std::chrono::duration_cast<std::chrono::steady_clock::duration>(deadline));
            live_->timer->async_wait([weak](const asio::error_code& error) {
                const auto self = weak.lock();
                if (!error && self) self->expire();
            });
        }
        return true;
    }

    void settle(const Outcome& outcome) noexcept override {
        if (settled_) return;
        Results results{};
        std::exception_ptr error = outcome.error;
        if (!error) {
            try {
                results = convert_(outcome.values);
            } catch (...) {
                error = std::current_exception();
            }
        }
        complete(std::move(error), std::move(results));
    }

    [[nodiscard]] bool abandoned() const noexcept override { return settled_; }

    void abandon() noexcept override {
        settled_ = true;
        live_.reset();
    }

  private:
    /// What must be gone before the context is.
    struct Live {
        Live(Handler h, const Executor& executor) : handler(std::move(h)), work(executor) {}
        Handler handler;
        asio::executor_work_guard<Executor> work;
        std::optional<Timer> timer;
    };

    void cancel() noexcept {
        complete(std::make_exception_ptr(
                     Error(asio::error::make_error_code(asio::error::operation_aborted), std::string(name_) + ": cancelled")),
                 Results{});
    }
    void expire() noexcept {
        complete(std::make_exception_ptr(Error(errc::timed_out, std::string(name_) + ": this call's deadline")), Results{});
    }

    void complete(std::exception_ptr error, Results results) noexcept {
        const std::lock_guard lock(registry_->mutex);
        if (settled_.exchange(true)) return;
        registry_->remove(*this);
        error_ = std::move(error);
        results_ = std::move(results);
        // Under the mutex: the context cannot die in between. The function owns the operation, and so the handler: if the
        // context is destroyed before it runs, both are destroyed with it.
        asio::post(executor_, [self = this->shared_from_this()] { self->deliver(); });
    }

    void deliver() {
        // The slot and the timer belong to the handler's executor, on which this runs.
        auto slot = asio::get_associated_cancellation_slot(live_->handler);
        if (slot.is_connected()) slot.clear();
        live_->timer.reset();
        Handler handler = std::move(live_->handler);
        const auto work = std::move(live_->work);
        live_.reset();
        std::apply([&](auto&&... result) { std::move(handler)(std::move(error_), std::move(result)...); }, std::move(results_));
    }

    Executor executor_;
    std::shared_ptr<LoopRegistry> registry_;
    Convert convert_;
    const char* name_;
    std::optional<Live> live_;
    std::atomic<bool> settled_{false};
    std::exception_ptr error_;
    Results results_{};
};

/// The initiation of every asynchronous operation of the library.
struct Start {
    using executor_type = asio::system_executor;
    [[nodiscard]] executor_type get_executor() const noexcept { return {}; }

    /// `request` without its waiter; see Operation for `convert`.
    template <class Handler, class Convert>
    void operator()(Handler&& handler, const char* name, Request request, Convert convert, std::chrono::nanoseconds deadline,
                    std::shared_ptr<DeviceCore> device) const {
        using Op = Operation<std::decay_t<Handler>, Convert>;
        using Executor = typename Op::Executor;
        const Executor executor = asio::get_associated_executor(handler);
        const auto allocator = asio::get_associated_allocator(handler);
        auto operation = std::allocate_shared<Op>(allocator, std::forward<Handler>(handler), std::move(convert), name);
        if (!operation->start(deadline)) return;
        request.waiter = std::move(operation);
        // A handler without an executor of its own completes on Asio's system executor, which has no turns to gather.
        const void* context = nullptr;
        if constexpr (!std::is_same_v<Executor, asio::system_executor>) {
            context = &asio::query(executor, asio::execution::context);
        }
        Flush flush = enqueue(std::move(request), context, std::move(device));
        if (flush) asio::post(executor, std::move(flush));
    }
};

}  // namespace stile::detail
