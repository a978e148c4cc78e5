#include "listener.hpp"

#include <asio/bind_cancellation_slot.hpp>
#include <asio/co_spawn.hpp>
#include <asio/ip/address.hpp>
#include <asio/post.hpp>
#include <asio/redirect_error.hpp>
#include <asio/use_awaitable.hpp>

#include <chrono>
#include <exception>
#include <utility>

namespace server {
namespace {

using asio::ip::tcp;

/// Beyond so many at a time, refused clients are closed without a word.
constexpr std::size_t mostRefusals = 64;

tcp::endpoint endpoint(const Options& options) {
    return {asio::ip::make_address(options.address), static_cast<asio::ip::port_type>(options.port)};
}

}  // namespace

Listener::Listener(const asio::any_io_executor& executor, Service& service)
    : service_(service),
      acceptor_(executor, endpoint(service.options)),
      empty_(executor, asio::steady_timer::time_point::max()) {}

asio::awaitable<void> Listener::accept(Listener& self) {
    while (self.acceptor_.is_open()) {
        asio::error_code error;
        tcp::socket socket = co_await self.acceptor_.async_accept(asio::redirect_error(asio::use_awaitable, error));
        if (!error) {
            self.add(std::move(socket));
        } else if (self.acceptor_.is_open()) {
            // No more descriptors, perhaps: they come back when clients leave.
            asio::steady_timer pause(self.acceptor_.get_executor(), std::chrono::milliseconds(50));
            co_await pause.async_wait(asio::use_awaitable);
        }
    }
}

void Listener::add(tcp::socket socket) {
    asio::error_code ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    const asio::any_io_executor executor = acceptor_.get_executor();
    if (connections_.size() >= service_.options.maxConnections) {
        ++service_.counters.refused;
        if (refusals_ == mostRefusals) return;
        ++refusals_;
        asio::co_spawn(executor, refuse(std::move(socket)), [this](const std::exception_ptr&) { --refusals_; });
        return;
    }
    ++service_.counters.accepted;
    const auto connection = connections_.emplace(connections_.end(), std::move(socket), service_);
    service_.counters.open = connections_.size();
    // An exception is the end of this connection and of nothing else: memory that cannot be had, or `abandon`. The coroutine's
    // last turn still uses the signal's memory, so the connection goes in the next.
    const auto ended = [this, executor, connection](const std::exception_ptr&) {
        asio::post(executor, [this, connection] { remove(connection); });
    };
    asio::co_spawn(executor, serve(*connection), asio::bind_cancellation_slot(connection->cancel.slot(), ended));
}

void Listener::remove(std::list<Connection>::iterator connection) {
    connections_.erase(connection);
    service_.counters.open = connections_.size();
    if (connections_.empty()) empty_.cancel();
}

void Listener::stop() {
    service_.stopping = true;
    acceptor_.close();
    asio::error_code ignored;
    for (Connection& connection : connections_) {
        // Its read ends as if the client had left.
        if (connection.idle) connection.socket.shutdown(tcp::socket::shutdown_receive, ignored);
    }
}

void Listener::abandon() {
    for (Connection& connection : connections_) connection.cancel.emit(asio::cancellation_type::terminal);
}

asio::awaitable<void> Listener::untilEmpty(Listener& self) {
    asio::error_code ignored;
    while (!self.connections_.empty()) co_await self.empty_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
}

}  // namespace server
