#pragma once

#include <asio/any_io_executor.hpp>
#include <asio/execution/context.hpp>
#include <asio/post.hpp>
#include <asio/query.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <stile/detail/loop_registry.hpp>
#include <stile/detail/waiter.hpp>
#include <stile/error.hpp>
#include <stile/export.hpp>
#include <stile/ndarray.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

/// Which values a stream gives when they come faster than they are taken.
enum class StreamPolicy : std::uint8_t {
    latestWins,  ///< older ones are dropped; for displays
    everyOne,    ///< all of them; the producer waits (`push`) or is told (`offer`) when there is no room
};

/// How a stream works.
struct StreamOptions {
    /// Downloads at a time, at least 1; of `everyOne`, with those that have not been taken yet. One that a later value has
    /// overtaken does not count any more.
    std::size_t inFlight = 2;
    /// What happens at the limit.
    StreamPolicy policy = StreamPolicy::latestWins;
};

/// What a stream has done.
struct StreamStats {
    std::uint64_t taken = 0;      ///< values that were offered and taken in
    std::uint64_t delivered = 0;  ///< values and errors that `next` gave
    std::uint64_t dropped = 0;    ///< values that a later one overtook, or that were left when the stream ended
    std::size_t inFlight = 0;     ///< downloads under way now
};

namespace detail {

/// The result of `next`, from where the stream has put it.
template <Element T>
struct FromPlace {
    std::shared_ptr<std::optional<NdArray<T>>> place;
    std::tuple<std::optional<NdArray<T>>> operator()(const Outcome&) const { return {std::move(*place)}; }
};

/// What a stream, its downloads and those who wait for it share. Waiters are settled with the mutex held: that posts and
/// calls nobody.
template <Element T>
class StreamState : public std::enable_shared_from_this<StreamState<T>> {
  public:
    using Place = std::shared_ptr<std::optional<NdArray<T>>>;
    using WaiterPtr = std::shared_ptr<Waiter>;

    /// Submissions of the operations `push` and `next`.
    struct Push {
        std::shared_ptr<StreamState> state;
        Tensor value;
        Flush operator()(WaiterPtr waiter, const void*) const {
            state->push(value, std::move(waiter));
            return {};
        }
    };
    struct Take {
        std::shared_ptr<StreamState> state;
        Place place;
        Flush operator()(WaiterPtr waiter, const void*) const {
            state->take(std::move(waiter), place);
            return {};
        }
    };

    StreamState(asio::any_io_executor executor, const StreamOptions& options)
        : executor_(std::move(executor)),
          context_(&asio::query(executor_, asio::execution::context)),
          registry_(registryOf(executor_)),
          limit_(std::max<std::size_t>(options.inFlight, 1)),
          policy_(options.policy) {}

    bool offer(const Tensor& value) {
        std::unique_lock lock(mutex_);
        if (closed_ || (policy_ == StreamPolicy::everyOne && (!hasRoom() || !pushers_.empty()))) return false;
        ++stats_.taken;
        if (policy_ == StreamPolicy::latestWins && !hasRoom()) {
            if (latest_) ++stats_.dropped;
            latest_ = value;
            return true;
        }
        const SlotPtr slot = begin(value);
        lock.unlock();
        start(slot);
        return true;
    }
    void push(const Tensor& value, WaiterPtr waiter) {
        if (policy_ == StreamPolicy::latestWins && offer(value)) {
            waiter->settle({});
            return;
        }
        std::unique_lock lock(mutex_);
        std::erase_if(pushers_, [](const Pusher& pusher) { return pusher.waiter->abandoned(); });
        pushers_.push_back({value, std::move(waiter)});
        pump(std::move(lock));
    }
    void take(WaiterPtr waiter, Place place) {
        std::unique_lock lock(mutex_);
        std::erase_if(takers_, [](const Taker& taker) { return taker.waiter->abandoned(); });
        takers_.push_back({std::move(waiter), std::move(place)});
        pump(std::move(lock));
    }
    /// `drop`: nobody will ask for what is left.
    void close(bool drop) {
        std::unique_lock lock(mutex_);
        closed_ = true;
        if (drop) {
            stats_.dropped += slots_.size() + (latest_ ? 1 : 0);
            for (const SlotPtr& slot : std::exchange(slots_, {})) slot->wanted = false;
            latest_.reset();
        }
        pump(std::move(lock));
    }
    [[nodiscard]] StreamStats stats() const {
        const std::lock_guard lock(mutex_);
        StreamStats out = stats_;
        out.inFlight = underWay();
        return out;
    }

  private:
    /// A value that is being downloaded, or has been and was not taken yet.
    struct Slot final : Waiter {
        Slot(std::shared_ptr<StreamState> owner, const Tensor& t) : state(std::move(owner)), tensor(t) {}

        bool settle(const Outcome& outcome) noexcept override {
            std::exception_ptr failure = outcome.error;
            try {
                if (!failure) value.emplace(tensor.shape(), storedValues<T>(outcome.values[0]));
            } catch (...) {
                failure = std::current_exception();
            }
            state->arrived(*this, std::move(failure));
            return true;
        }
        [[nodiscard]] bool abandoned() const noexcept override { return !wanted; }

        std::shared_ptr<StreamState> state;  ///< until it has arrived
        Tensor tensor;
        std::optional<NdArray<T>> value;
        std::exception_ptr error;
        bool done = false;
        std::atomic<bool> wanted{true};
    };
    using SlotPtr = std::shared_ptr<Slot>;
    struct Pusher {
        Tensor value;
        WaiterPtr waiter;
    };
    struct Taker {
        WaiterPtr waiter;
        Place place;
    };

    void arrived(Slot& slot, std::exception_ptr error) {
        const auto self = std::move(slot.state);  // lives until the lock is gone
        std::unique_lock lock(mutex_);
        slot.error = std::move(error);
        slot.done = true;
        if (policy_ == StreamPolicy::latestWins) overtake(slot);
        pump(std::move(lock));
    }
    /// Drops what was offered before a slot that has arrived.
    void overtake(const Slot& slot) {
        const auto found = std::ranges::find_if(slots_, [&](const SlotPtr& s) { return s.get() == &slot; });
        if (found == slots_.end()) return;
        for (auto it = slots_.begin(); it != found; ++it) {
            (*it)->wanted = false;
            ++stats_.dropped;
        }
        slots_.erase(slots_.begin(), found);
    }

    [[nodiscard]] std::size_t underWay() const {
        return static_cast<std::size_t>(std::ranges::count_if(slots_, [](const SlotPtr& slot) { return !slot->done; }));
    }
    [[nodiscard]] bool hasRoom() const { return (policy_ == StreamPolicy::everyOne ? slots_.size() : underWay()) < limit_; }
    [[nodiscard]] SlotPtr begin(const Tensor& value) {
        return slots_.emplace_back(std::make_shared<Slot>(this->shared_from_this(), value));
    }

    /// Serves whoever can be served.
    void pump(std::unique_lock<std::mutex> lock) {
        while (!takers_.empty() && !slots_.empty() && slots_.front()->done) {
            Slot& slot = *slots_.front();
            const Taker taker = std::move(takers_.front());
            takers_.pop_front();
            *taker.place = std::move(slot.value);
            if (!taker.waiter->settle({.error = slot.error})) {
                // Cancelled: the value is the next one's.
                slot.value = std::move(*taker.place);
                continue;
            }
            ++stats_.delivered;
            slots_.pop_front();
        }
        std::vector<SlotPtr> starting;
        if (closed_) {
            const auto error = std::make_exception_ptr(Error(errc::stream_closed, "push"));
            for (const Pusher& pusher : std::exchange(pushers_, {})) pusher.waiter->settle({.error = error});
        }
        while (latest_ && hasRoom()) starting.push_back(begin(*std::exchange(latest_, std::nullopt)));
        while (!pushers_.empty() && hasRoom()) {
            const Pusher pusher = std::move(pushers_.front());
            pushers_.pop_front();
            if (!pusher.waiter->settle({})) continue;
            ++stats_.taken;
            starting.push_back(begin(pusher.value));
        }
        if (closed_ && slots_.empty()) {
            for (const Taker& taker : std::exchange(takers_, {})) taker.waiter->settle({});
        }
        lock.unlock();
        for (const SlotPtr& slot : starting) start(slot);
    }
    /// Asks the device; without the mutex, because values that are there already come back at once.
    void start(const SlotPtr& slot) {
        try {
            // A value may arrive, and the next one start, after the context is gone: then there are no turns to gather.
            const auto isGone = [this] {
                const std::lock_guard lock(registry_->mutex);
                return registry_->isClosed();
            };
            Flush flush = enqueue({.targets = {slot->tensor}, .waiter = slot}, isGone() ? nullptr : context_);
            const std::lock_guard lock(registry_->mutex);
            if (flush && !registry_->isClosed()) asio::post(executor_, std::move(flush));
        } catch (...) {
            slot->settle({.error = std::current_exception()});
        }
    }

    const asio::any_io_executor executor_;
    const void* const context_;
    const std::shared_ptr<LoopRegistry> registry_;
    const std::size_t limit_;
    const StreamPolicy policy_;

    mutable std::mutex mutex_;
    bool closed_ = false;
    std::deque<SlotPtr> slots_;     ///< in the order in which they were offered
    std::optional<Tensor> latest_;  ///< waits for room; of `latestWins`
    std::deque<Pusher> pushers_;
    std::deque<Taker> takers_;
    StreamStats stats_;
};

}  // namespace detail
}  // namespace stile
