#pragma once

#include <asio/any_io_executor.hpp>
#include <asio/awaitable.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/steady_timer.hpp>

#include <cstddef>
#include <list>

#include "connection.hpp"
#include "service.hpp"

namespace server {

/// Accepts clients and knows those that are there. It must outlive the coroutines of its connections.
class Listener {
  public:
    /// \throws std::system_error if the address cannot be had.
    Listener(const asio::any_io_executor& executor, Service& service);

    [[nodiscard]] unsigned short port() const { return acceptor_.local_endpoint().port(); }

    /// Accepts until `stop`.
    static asio::awaitable<void> accept(Listener& listener);

    /// Accepts nobody any more, and closes the connections that have no request under way.
    void stop();
    /// Ends what is left.
    void abandon();
    /// Waits until no connection is left.
    static asio::awaitable<void> untilEmpty(Listener& listener);

  private:
    void add(asio::ip::tcp::socket socket);
    void remove(std::list<Connection>::iterator connection);

    Service& service_;
    asio::ip::tcp::acceptor acceptor_;
    std::list<Connection> connections_;
    std::size_t refusals_ = 0;
    /// Cancelled when the last connection ends.
    asio::steady_timer empty_;
};

}  // namespace server
