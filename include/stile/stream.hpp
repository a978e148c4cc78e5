#pragma once

#include <asio/any_io_executor.hpp>
#include <asio/async_result.hpp>
#include <asio/use_awaitable.hpp>

#include <exception>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include <stile/detail/operation.hpp>
#include <stile/detail/stream_state.hpp>
#include <stile/download.hpp>
#include <stile/export.hpp>
#include <stile/ndarray.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

/// Downloads one after another for somebody who shows or stores them as they come: loss curves, frames. The producer offers
/// tensors and never waits for the consumer, unless it wants to; the consumer awaits `next`.
///
/// \code
/// stile::Stream<float> losses(loop.get_executor());
/// losses.offer(loss);                                          // the training loop, at its own pace
/// while (auto value = co_await losses.next()) show(*value);    // the display, at its own
/// \endcode
///
/// Values come in the order in which they were offered. A download that fails is an error of the `next` that would have given
/// its value; the stream goes on. All members may be called from any thread. A stream that was moved from can only be assigned
/// to and destroyed.
template <Element T = float>
class Stream {
  public:
    /// What is offered in one turn of this executor's context starts together.
    explicit Stream(asio::any_io_executor executor, const StreamOptions& options = {})
        : state_(std::make_shared<detail::StreamState<T>>(std::move(executor), options)) {}
    Stream(Stream&&) noexcept = default;
    /// Ends its own stream and takes the other over.
    Stream& operator=(Stream&& other) noexcept {
        if (this != &other) {
            end();
            state_ = std::move(other.state_);
        }
        return *this;
    }
    /// Closes it; what has not been taken is dropped.
    ~Stream() { end(); }

    /// Begins to download a value, now or when its turn comes; never waits. False if it was not taken: the stream is closed, or at
    /// its limit and of the policy `everyOne`.
    /// \throws Error `wrong_dtype`.
    bool offer(const Tensor& value) {
        detail::expectDType("offer", value, dtypeOf<T>);
        return state_->offer(value);
    }

    /// Waits for room, then begins to download the value. Awaitable by default.
    /// **Completion signature.** `void(std::exception_ptr)`; `errc::stream_closed` if the stream is or gets closed before.
    /// **GL.** None itself; the download is one as Tensor::array. **Per-operation cancellation.** Terminal, partial, total:
    /// `operation_aborted`, and the value is not taken. **Threads.** Callable from any; the handler runs on its associated executor.
    /// **Lifetime.** The stream may be destroyed meanwhile. See \ref downloads.
    /// \throws Error `wrong_dtype`.
    template <class Token = asio::use_awaitable_t<>>
    auto push(const Tensor& value, Token&& token = Token()) {
        detail::expectDType("push", value, dtypeOf<T>);
        return asio::async_initiate<Token, void(std::exception_ptr)>(detail::Start{}, token, "push", detail::ToNothing{},
                                                                     typename detail::StreamState<T>::Push{state_, value});
    }

    /// The next value; none when the stream is closed and everything has been taken. Several may wait, and are served in order.
    /// Awaitable by default.
    /// **Completion signature.** `void(std::exception_ptr, std::optional<NdArray<T>>)`. **GL.** None itself. **Per-operation
    /// cancellation.** Terminal, partial, total: `operation_aborted`, and the value stays for the next call. **Threads.** Callable
    /// from any; the handler runs on its associated executor. **Lifetime.** The stream may be destroyed meanwhile: then there is
    /// no value. See \ref downloads.
    template <class Token = asio::use_awaitable_t<>>
    auto next(Token&& token = Token()) {
        const auto place = std::make_shared<std::optional<NdArray<T>>>();
        return asio::async_initiate<Token, void(std::exception_ptr, std::optional<NdArray<T>>)>(
            detail::Start{}, token, "next", detail::FromPlace<T>{place}, typename detail::StreamState<T>::Take{state_, place});
    }

    /// Takes no more values; `next` gives what is on its way, then none.
    void close() { state_->close(false); }

    /// What it has done so far.
    [[nodiscard]] StreamStats stats() const { return state_->stats(); }

  private:
    void end() noexcept {
        if (state_) state_->close(true);
    }
    std::shared_ptr<detail::StreamState<T>> state_;
};

}  // namespace stile
