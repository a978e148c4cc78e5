// An HTTP server whose answers are computed on the GPU: an example of stile beside sockets, timers and signals on one event loop.
// Where to begin: stats.cpp (a request, from JSON to JSON), connection.cpp (deadlines, and clients that leave while the GPU works
// for them), eigenvalue.cpp (a long job that keeps pace).

#include <fmt/format.h>
#include <http_parser.h>
#include <asio/co_spawn.hpp>
#include <asio/experimental/awaitable_operators.hpp>
#include <asio/io_context.hpp>
#include <asio/signal_set.hpp>
#include <asio/steady_timer.hpp>
#include <asio/use_awaitable.hpp>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>

#include <stile/stile.hpp>

#include "lateness.hpp"
#include "listener.hpp"
#include "options.hpp"
#include "service.hpp"

namespace server {
namespace {

/// Waits for a signal, then lets what runs finish: for a while, or until the next signal.
asio::awaitable<void> stopOnSignal(Listener& listener, const Options& options, bool& beating) {
    using namespace asio::experimental::awaitable_operators;
    const auto executor = co_await asio::this_coro::executor;
    asio::signal_set signals(executor, SIGINT, SIGTERM);
    co_await signals.async_wait(asio::use_awaitable);
    fmt::print("stopping\n");
    std::fflush(stdout);
    listener.stop();
    asio::steady_timer grace(executor, std::chrono::milliseconds(static_cast<std::int64_t>(options.grace * 1000)));
    const auto first = co_await (Listener::untilEmpty(listener) || grace.async_wait(asio::use_awaitable) ||
                                 signals.async_wait(asio::use_awaitable));
    if (first.index() != 0) {
        listener.abandon();
        co_await Listener::untilEmpty(listener);
    }
    beating = false;
}

void run(const Options& options) {
    http_parser_set_max_header_size(static_cast<std::uint32_t>(options.maxHeaders));
    // A blocking download would stop the loop for all clients: here it is an error.
    const stile::Device device = stile::Device::open({.poolBytes = std::size_t{64} << 20, .sync = stile::SyncPolicy::error});
    asio::io_context loop{1};
    Service service(loop.get_executor(), options, device);
    Listener listener(loop.get_executor(), service);
    bool beating = true;
    // A part that fails takes the others down in order: what they refer to has to outlive them.
    std::exception_ptr failure;
    const auto ended = [&failure](std::exception_ptr error) {
        if (!error || failure) return;
        failure = std::move(error);
        std::raise(SIGTERM);
    };
    asio::co_spawn(loop, common::beat(service.lateness, beating), ended);
    asio::co_spawn(loop, Listener::accept(listener), ended);
    asio::co_spawn(loop, stopOnSignal(listener, options, beating), ended);
    fmt::print("{}, {}\nlistening on http://{}:{}\n", device.driver().renderer, device.driver().version, options.address,
               listener.port());
    std::fflush(stdout);
    loop.run();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace
}  // namespace server

int main(int count, char** arguments) {
    try {
        const server::Options options = server::parseOptions({arguments + 1, arguments + count});
        if (options.help) {
            fmt::print("{}", server::usage());
            return 0;
        }
        server::run(options);
        return 0;
    } catch (const std::invalid_argument& error) {
        fmt::print(stderr, "server: {}; see server --help\n", error.what());
        return 2;
    } catch (const std::exception& error) {
        fmt::print(stderr, "server: {}\n", error.what());
        return 1;
    }
}
