#pragma once

#include <asio/awaitable.hpp>
#include <asio/ip/tcp.hpp>

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace load {

struct Answer {
    int status = 0;  ///< 0 if the server closed the connection without one
    bool keepAlive = false;
    nlohmann::json body;
};

/// A connection to the server on this machine.
class Client {
  public:
    Client(const asio::any_io_executor& executor, unsigned short port) : socket_(executor), port_(port) {}

    /// \throws std::system_error if nobody listens.
    asio::awaitable<void> connect();
    [[nodiscard]] bool isOpen() const { return socket_.is_open(); }
    void close();

    /// False if the connection is gone.
    asio::awaitable<bool> send(std::string_view bytes);
    asio::awaitable<Answer> receive();

  private:
    asio::ip::tcp::socket socket_;
    unsigned short port_;
    std::string input_;
};

/// The bytes of a request; a GET without a body.
[[nodiscard]] std::string request(std::string_view path, std::string_view mediaType = {}, std::string_view body = {});

}  // namespace load
