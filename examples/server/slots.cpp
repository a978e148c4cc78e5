#include "slots.hpp"

#include <asio/redirect_error.hpp>
#include <asio/system_error.hpp>
#include <asio/use_awaitable.hpp>

#include "http.hpp"

namespace server {

asio::awaitable<Slots::Slot> Slots::enter() {
    if (!taken_.try_send(asio::error_code{}, 0)) {
        if (waiting_ == mostWaiting_) throw HttpError(503, "too many requests are waiting");
        ++waiting_;
        asio::error_code error;
        co_await taken_.async_send(asio::error_code{}, 0, asio::redirect_error(asio::use_awaitable, error));
        --waiting_;
        if (error) throw asio::system_error(error);
    }
    ++running_;
    co_return Slot(*this);
}

void Slots::leave() noexcept {
    --running_;
    taken_.try_receive([](asio::error_code, int) {});
}

}  // namespace server
