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
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <stile/detail/delivery.hpp>
#include <stile/detail/loop_registry.hpp>
#include <stile/detail/waiter.hpp>
#include <stile/error.hpp>

namespace stile::detail {

/// What an operation holds of its handler's world while it is pending. Only the thread that initiates allocates it, and only
/// the handler's context destroys it: the handler's allocator and its executor need not be safe to use from the GL thread.
template <class Handler>
class Live final : public Remains {
  public:
    using Executor = asio::associated_executor_t<Handler>;
    using TimerExecutor = std::conditional_t<hasContext<Executor>, Executor, asio::system_executor>;
    using Timer =
        asio::basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>, TimerExecutor>;
    using Ptr = std::unique_ptr<Live, Destroy>;

    using Allocator = typename std::allocator_traits<asio::associated_allocator_t<Handler>>::template rebind_alloc<Live>;

    Live(Handler&& h, const Executor& executor, const Allocator& allocator)
        : handler(std::move(h)), work(executor), allocator_(allocator) {}

    [[nodiscard]] static Ptr make(Handler&& handler, const Executor& executor) {
        Allocator allocator(asio::get_associated_allocator(handler));
        // Gives the memory back if the handler's move constructor throws.
        const auto deallocate = [&allocator](Live* memory) { Traits::deallocate(allocator, memory, 1); };
        std::unique_ptr<Live, decltype(deallocate)> memory(Traits::allocate(allocator, 1), deallocate);
        Live* const made = ::new (static_cast<void*>(memory.get())) Live(std::move(handler), executor, allocator);
        (void)memory.release();
        return Ptr(made);
    }

    void destroy() noexcept override {
        Allocator allocator(allocator_);
        this->~Live();
        Traits::deallocate(allocator, this, 1);
    }

    Handler handler;
    asio::executor_work_guard<Executor> work;
    std::optional<Timer> timer;

  private:
    using Traits = std::allocator_traits<Allocator>;
    Allocator allocator_;  ///< the handler may have been moved out when it is needed
};

/// The function that is posted to a handler's executor; the only owner of the handler, which is destroyed with it if the context
/// goes before it runs.
template <class Handler, class Results>
struct Completion {
    Delivery delivery;
    typename Live<Handler>::Ptr live;
    std::exception_ptr error;
    Results results;

    void operator()() {
        const Delivering here(delivery);
        auto slot = asio::get_associated_cancellation_slot(live->handler);
        if (slot.is_connected()) slot.clear();
        Handler handler = std::move(live->handler);
        const auto work = std::move(live->work);
        // The handler may start the next operation in the same memory.
        live.reset();
        std::apply([&](auto&&... result) { std::move(handler)(std::move(error), std::move(result)...); }, std::move(results));
    }
};

/// One pending asynchronous operation. `Convert` makes the tuple of results from the outcome, on the thread that settles; the
/// handler gets `(std::exception_ptr, results…)`, posted to its executor. What it is asked for while the results are being made
/// (a cancellation, the deadline) comes too late.
///
/// Owned by the device while the work is pending.
template <class Handler, class Convert>
class Operation final : public Waiter, public Pending, public std::enable_shared_from_this<Operation<Handler, Convert>> {
  public:
    using Executor = asio::associated_executor_t<Handler>;
    using Results = std::invoke_result_t<Convert&, const Outcome&>;

    Operation(Handler&& handler, const Executor& executor, Convert convert, const char* name)
        : registry_(registryOf(executor)),
          convert_(std::move(convert)),
          name_(name),
          live_(Live<Handler>::make(std::move(handler), executor)) {}
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;
    ~Operation() override {
        const std::lock_guard lock(registry_->mutex);
        if (state_ != State::settled) registry_->remove(*this);
    }

    /// Begins to listen for cancellation and the end of the context. False if the context is going.
    [[nodiscard]] bool start() {
        const std::lock_guard lock(registry_->mutex);
        if (!registry_->add(*this)) return false;
        state_ = State::waiting;
        auto slot = asio::get_associated_cancellation_slot(live_->handler);
        if (!slot.is_connected()) return true;
        slot.assign([weak = this->weak_from_this()](asio::cancellation_type type) {
            if ((type & (asio::cancellation_type::terminal | asio::cancellation_type::partial |
                         asio::cancellation_type::total)) == asio::cancellation_type::none) {
                return;
            }
            if (const auto self = weak.lock()) self->cancel();
        });
        return true;
    }

    void arm(const Deadline& deadline) override {
        const std::lock_guard lock(registry_->mutex);
        if (state_ != State::waiting) return;
        deadline_ = deadline;
        if (!deadline.ownTimer) return;
        live_->timer.emplace(timerExecutor(), std::chrono::duration_cast<std::chrono::steady_clock::duration>(deadline.after));
        live_->timer->async_wait([weak = this->weak_from_this()](const asio::error_code& error) {
            const auto self = weak.lock();
            if (!error && self) self->expire();
        });
    }

    bool settle(const Outcome& outcome) noexcept override {
        {
            const std::lock_guard lock(registry_->mutex);
            if (state_ != State::waiting) return false;
            state_ = State::delivering;
        }
        Results results{};
        std::exception_ptr error = outcome.error;
        if (!error) {
            try {
                results = convert_(outcome);
            } catch (const std::bad_alloc&) {
                error = std::make_exception_ptr(Error(errc::out_of_memory, std::string(name_) + ": host memory"));
            } catch (...) {
                error = std::current_exception();
            }
        }
        complete(State::delivering, std::move(error), std::move(results));
        return true;
    }

    void expire() noexcept override { fail(errc::timed_out, std::string(name_) + ": " + deadline_.message); }

    [[nodiscard]] bool abandoned() const noexcept override { return state_ == State::settled; }
    [[nodiscard]] bool isDelivering() const noexcept override { return state_ == State::delivering; }
    [[nodiscard]] std::unique_ptr<Remains, Destroy> abandon() noexcept override {
        state_ = State::settled;
        traceAbandoned(name_, traceId);
        return std::move(live_);
    }

  private:
    enum class State : std::uint8_t {
        settled,     ///< or not begun: not in the registry
        waiting,     ///< in the registry
        delivering,  ///< in the registry, and its results are being made
    };

    [[nodiscard]] typename Live<Handler>::TimerExecutor timerExecutor() const {
        if constexpr (hasContext<Executor>) {
            return live_->work.get_executor();
        } else {
            return {};
        }
    }
    void cancel() noexcept {
        fail(asio::error::make_error_code(asio::error::operation_aborted), std::string(name_) + ": cancelled");
    }
    void fail(std::error_code code, const std::string& message) noexcept {
        complete(State::waiting, std::make_exception_ptr(Error(code, message)), Results{});
    }

    /// Posts the handler, if the operation is in this state.
    void complete(State from, std::exception_ptr error, Results results) noexcept {
        const std::lock_guard lock(registry_->mutex);
        if (state_ != from) return;
        state_ = State::settled;
        registry_->remove(*this);
        const Executor executor = live_->work.get_executor();
        ++registry_->ready;
        asio::post(executor, Completion<Handler, Results>{
                                 {registry_, name_, traceId}, std::move(live_), std::move(error), std::move(results)});
    }

    std::shared_ptr<LoopRegistry> registry_;
    Convert convert_;
    const char* name_;
    Deadline deadline_;
    typename Live<Handler>::Ptr live_;
    std::atomic<State> state_{State::settled};  ///< changes under the registry's mutex only
};

/// The initiation of every asynchronous operation of the library.
struct Start {
    using executor_type = asio::system_executor;
    [[nodiscard]] executor_type get_executor() const noexcept { return {}; }

    /// See Operation for `convert`. `submit(waiter, context)` asks for what the operation waits for and gives a Flush, as
    /// detail::enqueue does. Throws only if there is no memory for the operation itself; every later failure is a completion.
    template <class Handler, class Convert, class Submit>
    void operator()(Handler&& handler, const char* name, Convert convert, Submit submit) const {
        using Op = Operation<std::decay_t<Handler>, Convert>;
        const typename Op::Executor executor = asio::get_associated_executor(handler);
        std::decay_t<Handler> own(std::forward<Handler>(handler));
        const auto operation = std::make_shared<Op>(std::move(own), executor, std::move(convert), name);
        operation->traceId = traceStart(name);
        try {
            if (!operation->start()) return traceAbandoned(name, operation->traceId);
            // A handler without an executor of its own completes on Asio's system executor, which has no turns to gather.
            const void* context = nullptr;
            if constexpr (hasContext<typename Op::Executor> && !std::is_same_v<typename Op::Executor, asio::system_executor>) {
                context = &asio::query(executor, asio::execution::context);
            }
            Flush flush = submit(std::shared_ptr<Waiter>(operation), context);
            if (flush) asio::post(executor, std::move(flush));
        } catch (...) {
            operation->settle({.error = std::current_exception()});
        }
    }
};

/// What a download waits for.
struct Submit {
    Request request;  ///< without its waiter
    std::shared_ptr<DeviceCore> device;

    [[nodiscard]] Flush operator()(std::shared_ptr<Waiter> waiter, const void* context) {
        request.waiter = std::move(waiter);
        return enqueue(std::move(request), context, std::move(device));
    }
};

}  // namespace stile::detail
