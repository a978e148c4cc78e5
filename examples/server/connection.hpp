#pragma once

#include <asio/awaitable.hpp>
#include <asio/cancellation_signal.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/steady_timer.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "request_parser.hpp"
#include "service.hpp"

namespace server {

/// Bytes of a body that count against --max-buffered.
class Charge {
  public:
    explicit Charge(Service& service) noexcept : service_(service) {}
    Charge(const Charge&) = delete;
    Charge& operator=(const Charge&) = delete;
    ~Charge() { service_.counters.buffered -= bytes_; }

    /// \throws HttpError 503 if all together are too many.
    void set(std::size_t bytes);

  private:
    Service& service_;
    std::size_t bytes_ = 0;
};

/// A client.
struct Connection {
    Connection(asio::ip::tcp::socket s, Service& shared)
        : socket(std::move(s)), service(shared), timer(socket.get_executor()), parser(shared.options.maxBody) {}

    asio::ip::tcp::socket socket;
    Service& service;
    asio::steady_timer timer;
    RequestParser parser;
    std::array<char, 16384> chunk{};
    std::string input;                 ///< what has come and is not parsed yet
    bool idle = true;                  ///< between requests
    asio::cancellation_signal cancel;  ///< ends it at once
};

/// Reads requests and answers them, one after another, until the client or the server has enough.
asio::awaitable<void> serve(Connection& connection);

/// Says 503 to a client for whom there is no room.
asio::awaitable<void> refuse(asio::ip::tcp::socket socket);

}  // namespace server
