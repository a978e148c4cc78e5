#pragma once

#include <asio/execution/context.hpp>
#include <asio/execution_context.hpp>
#include <asio/query.hpp>
#include <asio/system_context.hpp>
#include <asio/system_executor.hpp>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>

namespace stile::detail {

/// What an operation leaves behind when its context goes: its handler, and what must not outlive the context with it. Lies in
/// memory of the handler's allocator.
class Remains {
  public:
    virtual void destroy() noexcept = 0;

  protected:
    ~Remains() = default;
};

struct Destroy {
    void operator()(Remains* remains) const noexcept { remains->destroy(); }
};

/// An operation as its execution context sees it: a link of the registry's list.
class Pending {
  public:
    /// With the registry's mutex held and the link taken out: from now on the operation does not complete. The caller destroys
    /// what it returns, without the mutex: the destructor of a handler may do anything.
    [[nodiscard]] virtual std::unique_ptr<Remains, Destroy> abandon() noexcept = 0;
    /// With the registry's mutex held: whether its results are being made, on another thread, maybe in memory that dies with the
    /// handler.
    [[nodiscard]] virtual bool isDelivering() const noexcept = 0;

  protected:
    ~Pending() = default;

  private:
    friend class LoopRegistry;
    Pending* previous_ = nullptr;
    Pending* next_ = nullptr;
};

/// The operations that will complete on one execution context. Its mutex decides every race: an operation is completed, is
/// cancelled or is abandoned under it, whichever comes first. A handler is posted under it too, so that it never reaches a
/// context that has begun to die.
class LoopRegistry {
  public:
    std::mutex mutex;
    /// Completions that were posted and have not run yet, and the thread that ran the last one.
    std::atomic<std::int64_t> ready{0};
    std::atomic<std::thread::id> runner{};

    /// With the mutex held. False if the context is going.
    [[nodiscard]] bool add(Pending& pending) noexcept {
        if (closed_) return false;
        pending.next_ = first_;
        if (first_) first_->previous_ = &pending;
        first_ = &pending;
        return true;
    }
    /// With the mutex held.
    void remove(Pending& pending) noexcept {
        (pending.previous_ ? pending.previous_->next_ : first_) = pending.next_;
        if (pending.next_) pending.next_->previous_ = pending.previous_;
        pending.previous_ = pending.next_ = nullptr;
        if (closed_) changed_.notify_all();
    }
    /// With the mutex held: whether the context is going.
    [[nodiscard]] bool isClosed() const noexcept { return closed_; }

    void close() noexcept {
        for (;;) {
            // Destroyed at the end of each turn, when the mutex is free again.
            std::unique_ptr<Remains, Destroy> remains;
            std::unique_lock lock(mutex);
            closed_ = true;
            changed_.wait(lock, [this] { return !first_ || !first_->isDelivering(); });
            Pending* const pending = first_;
            if (!pending) return;
            remove(*pending);
            remains = pending->abandon();
        }
    }

  private:
    Pending* first_ = nullptr;
    bool closed_ = false;
    std::condition_variable changed_;  ///< one that was being delivered is done
};

/// Hangs a registry on an execution context, and closes it when the context is destroyed.
class LoopService final : public asio::execution_context::service {
  public:
    static inline asio::execution_context::id id;

    explicit LoopService(asio::execution_context& context) : asio::execution_context::service(context) {}
    [[nodiscard]] const std::shared_ptr<LoopRegistry>& registry() const noexcept { return registry_; }

  private:
    void shutdown() noexcept override { registry_->close(); }

    std::shared_ptr<LoopRegistry> registry_ = std::make_shared<LoopRegistry>();
};

/// Whether an executor tells its context. That of `asio::use_future`, an adapted system executor, does not.
template <class Executor>
inline constexpr bool hasContext = asio::can_query_v<const Executor&, asio::execution::context_t>;

/// The registry of an executor's context, the system context's where it is not told. Makes the system context, if need be, on the
/// calling thread: its threads would inherit the GL thread's low priority if that thread were the first to post to it.
template <class Executor>
[[nodiscard]] std::shared_ptr<LoopRegistry> registryOf(const Executor& executor) {
    if constexpr (hasContext<Executor>) {
        asio::execution_context& context = asio::query(executor, asio::execution::context);
        return asio::use_service<LoopService>(context).registry();
    } else {
        asio::execution_context& context = asio::query(asio::system_executor{}, asio::execution::context);
        return asio::use_service<LoopService>(context).registry();
    }
}

}  // namespace stile::detail
