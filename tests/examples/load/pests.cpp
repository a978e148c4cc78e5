#include "pests.hpp"

#include <asio/experimental/awaitable_operators.hpp>
#include <asio/steady_timer.hpp>
#include <asio/this_coro.hpp>
#include <asio/use_awaitable.hpp>

#include <fmt/format.h>

#include <chrono>
#include <string_view>

#include "client.hpp"

namespace load {
namespace {

using namespace std::chrono_literals;

struct Pest {
    unsigned short port;
    const bool& running;
    PestReport& report;

    void count(const std::string& what) const { ++report.met[what]; }
    void expect(std::string_view what, const Answer& answer, int status) const {
        count(fmt::format("{}: {}", what, answer.status));
        if (answer.status != status && report.complaint.empty()) {
            report.complaint = fmt::format("{} got {}, not {}", what, answer.status, status);
        }
    }
};

asio::awaitable<void> sleep(std::chrono::milliseconds time) {
    asio::steady_timer timer(co_await asio::this_coro::executor, time);
    co_await timer.async_wait(asio::use_awaitable);
}

asio::awaitable<void> slow(Pest pest) {
    Client client(co_await asio::this_coro::executor, pest.port);
    while (pest.running) {
        co_await client.connect();
        const std::string text = request("/stats", "application/json", std::string(100000, ' '));
        // Until the server has enough of it: what it says then has to be read, too.
        for (const char& byte : text) {
            if (!pest.running) co_return;
            if (!co_await client.send({&byte, 1})) break;
            if (&byte - text.data() > 40) break;
            co_await sleep(20ms);
        }
        pest.expect("slow", co_await client.receive(), 408);
        client.close();
    }
}

asio::awaitable<void> half(Pest pest) {
    Client client(co_await asio::this_coro::executor, pest.port);
    const std::string text = request("/image", "image/png", std::string(1000, 'x'));
    for (std::size_t size = 1; pest.running; size = size * 7 % text.size() + 1) {
        co_await client.connect();
        (void)co_await client.send(std::string_view(text).substr(0, size));
        client.close();
        pest.count("half a request");
        co_await sleep(15ms);
    }
}

/// One request after another that has to be refused.
asio::awaitable<void> refused(Pest pest, std::string what, std::string text, int status) {
    Client client(co_await asio::this_coro::executor, pest.port);
    while (pest.running) {
        co_await client.connect();
        (void)co_await client.send(text);
        pest.expect(what, co_await client.receive(), status);
        client.close();
        co_await sleep(25ms);
    }
}

asio::awaitable<void> leaving(Pest pest) {
    Client client(co_await asio::this_coro::executor, pest.port);
    while (pest.running) {
        co_await client.connect();
        (void)co_await client.send(
            request("/eigenvalue", "application/json", R"({"matrix": [[1, 2], [3, 4]], "steps": 1000000})"));
        co_await sleep(20ms);
        client.close();
        pest.count("left while it was computed");
        co_await sleep(200ms);
    }
}

}  // namespace

asio::awaitable<void> runPests(unsigned short port, const bool& running, PestReport& report) {
    using namespace asio::experimental::awaitable_operators;
    const Pest pest{port, running, report};
    const std::string huge =
        "POST /stats HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n";
    const std::string headers = "GET /health HTTP/1.1\r\nHost: a\r\nX-Long: " + std::string(20000, 'x') + "\r\n\r\n";
    co_await (slow(pest) && half(pest) && leaving(pest) && refused(pest, "too large", huge, 413) &&
              refused(pest, "headers too large", headers, 431) && refused(pest, "not HTTP", "hello, world\r\n\r\n", 501) &&
              refused(pest, "bad JSON", request("/stats", "application/json", "[1, NaN]"), 400) &&
              refused(pest, "bad image", request("/image", "image/png", "no image"), 400));
}

}  // namespace load
