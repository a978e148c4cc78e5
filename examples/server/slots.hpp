#pragma once

#include <asio/any_io_executor.hpp>
#include <asio/awaitable.hpp>
#include <asio/experimental/channel.hpp>

#include <cstddef>
#include <utility>

namespace server {

/// Limits how many requests are worked on at a time: the others wait for their turn in the order in which they came, and hold
/// neither decoded images nor tensors meanwhile. When too many wait, the next is refused.
///
/// It also keeps the loop's turns short: no more than `running` answers can become ready at once.
class Slots {
  public:
    Slots(const asio::any_io_executor& executor, std::size_t running, std::size_t waiting)
        : taken_(executor, running), mostWaiting_(waiting) {}

    /// The right to work, given back on destruction.
    class Slot {
      public:
        explicit Slot(Slots& slots) noexcept : slots_(&slots) {}
        Slot(Slot&& other) noexcept : slots_(std::exchange(other.slots_, nullptr)) {}
        Slot& operator=(Slot&&) = delete;
        ~Slot() {
            if (slots_) slots_->leave();
        }

      private:
        Slots* slots_;
    };

    /// Waits for a turn; can be cancelled. \throws HttpError 503 if too many wait already.
    [[nodiscard]] asio::awaitable<Slot> enter();

    [[nodiscard]] std::size_t running() const noexcept { return running_; }
    [[nodiscard]] std::size_t waiting() const noexcept { return waiting_; }

  private:
    void leave() noexcept;

    /// Holds a message for each slot that is taken: sending waits while it is full. (Asio 1.22 has no channel without a value.)
    asio::experimental::channel<void(asio::error_code, int)> taken_;
    std::size_t mostWaiting_;
    std::size_t running_ = 0, waiting_ = 0;
};

}  // namespace server
