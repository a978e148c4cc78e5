#include "client.hpp"

#include <asio/buffer.hpp>
#include <asio/read.hpp>
#include <asio/read_until.hpp>
#include <asio/redirect_error.hpp>
#include <asio/use_awaitable.hpp>
#include <asio/write.hpp>

#include <fmt/format.h>

#include <charconv>

namespace load {
namespace {

std::size_t numberAfter(std::string_view text, std::string_view name) {
    std::size_t number = 0;
    const std::size_t at = text.find(name);
    if (at != std::string_view::npos) std::from_chars(text.data() + at + name.size(), text.data() + text.size(), number);
    return number;
}

}  // namespace

asio::awaitable<void> Client::connect() {
    socket_ = asio::ip::tcp::socket(socket_.get_executor());
    input_.clear();
    const asio::ip::tcp::endpoint server(asio::ip::address_v4::loopback(), port_);
    co_await socket_.async_connect(server, asio::use_awaitable);
    socket_.set_option(asio::ip::tcp::no_delay(true));
}

void Client::close() {
    asio::error_code ignored;
    socket_.close(ignored);
}

asio::awaitable<bool> Client::send(std::string_view bytes) {
    asio::error_code error;
    co_await asio::async_write(socket_, asio::buffer(bytes), asio::redirect_error(asio::use_awaitable, error));
    co_return !error;
}

asio::awaitable<Answer> Client::receive() {
    Answer answer;
    asio::error_code error;
    const std::size_t head = co_await asio::async_read_until(socket_, asio::dynamic_buffer(input_), "\r\n\r\n",
                                                             asio::redirect_error(asio::use_awaitable, error));
    if (error) co_return answer;
    const std::size_t size = numberAfter({input_.data(), head}, "Content-Length: ");
    if (input_.size() < head + size) {
        const std::size_t missing = head + size - input_.size();
        co_await asio::async_read(socket_, asio::dynamic_buffer(input_), asio::transfer_exactly(missing),
                                  asio::redirect_error(asio::use_awaitable, error));
        if (error) co_return answer;
    }
    answer.status = static_cast<int>(numberAfter(input_, "HTTP/1.1 "));
    answer.keepAlive = input_.substr(0, head).find("keep-alive") != std::string::npos;
    answer.body = nlohmann::json::parse(input_.substr(head, size));
    input_.erase(0, head + size);
    co_return answer;
}

std::string request(std::string_view path, std::string_view mediaType, std::string_view body) {
    if (mediaType.empty()) return fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\n\r\n", path);
    return fmt::format("POST {} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {}\r\nContent-Length: {}\r\n\r\n{}", path,
                       mediaType, body.size(), body);
}

}  // namespace load
