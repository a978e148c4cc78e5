// A live view of values on the GPU: 4 images and 50 numbers a frame, with one fence. simulation.cpp is what is computed; the loop
// below downloads and shows it.

#include <fmt/format.h>
#include <asio/co_spawn.hpp>
#include <asio/io_context.hpp>
#include <asio/redirect_error.hpp>
#include <asio/signal_set.hpp>
#include <asio/steady_timer.hpp>
#include <asio/use_awaitable.hpp>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <stile/stile.hpp>

#include "frame.hpp"
#include "lateness.hpp"
#include "options.hpp"
#include "simulation.hpp"

namespace dashboard {
namespace {

using Clock = std::chrono::steady_clock;

/// The terminal's second screen, without a cursor, for as long as this lives.
struct Screen {
    explicit Screen(bool use) : used(use) {
        if (used) fmt::print("\x1b[?1049h\x1b[?25l");
    }
    ~Screen() {
        if (used) fmt::print("\x1b[?25h\x1b[?1049l");
    }
    Screen(const Screen&) = delete;
    Screen& operator=(const Screen&) = delete;
    bool used;
};

std::string status(const stile::Device& device, const common::Lateness& lateness, int frame, Clock::duration passed) {
    const auto fences = device.stats().fences;
    return fmt::format("frame {}  {:.1f} frames/s  {} fences, {:.2f} a frame  loop lateness p50 {:.2f} ms, p99 {:.2f} ms\n",
                       frame, frame / std::chrono::duration<double>(passed).count(), fences,
                       static_cast<double>(fences) / frame, lateness.percentile(50), lateness.percentile(99));
}

asio::awaitable<void> show(const Options& options, const stile::Device& device, const common::Lateness& lateness,
                           bool& running) {
    const Style style = options.plain ? Style::plain : Style::colour;
    Simulation simulation(options.size);
    Table table;
    asio::steady_timer timer(co_await asio::this_coro::executor);
    const auto begin = Clock::now();
    const std::chrono::duration<double> interval(options.fps > 0 ? 1 / options.fps : 0);
    for (int frame = 1; running && (options.frames == 0 || frame <= options.frames); ++frame) {
        timer.expires_at(begin + std::chrono::duration_cast<Clock::duration>(interval * frame));
        simulation.advance(options.steps);
        std::vector<stile::Tensor> shown = record(simulation);
        const Values values = co_await stile::data(std::move(shown));
        table.add(values);
        if (style == Style::colour) fmt::print("\x1b[H");
        fmt::print("{}{}{}\n", status(device, lateness, frame, Clock::now() - begin), drawImages(values, style),
                   table.draw(style));
        std::fflush(stdout);
        if (options.fps > 0) co_await timer.async_wait(asio::use_awaitable);
    }
    running = false;
}

asio::awaitable<void> stopOnSignal(asio::signal_set& signals, bool& running) {
    asio::error_code ignored;
    co_await signals.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    running = false;
}

void run(const Options& options) {
    const stile::Device device = stile::Device::open({.sync = stile::SyncPolicy::error});
    asio::io_context loop{1};
    asio::signal_set signals(loop, SIGINT, SIGTERM);
    common::Lateness lateness;
    bool running = true;
    std::exception_ptr failure;
    const auto stop = [&](const std::exception_ptr& error) {
        if (error) failure = error;
        running = false;
        signals.cancel();
    };
    const Screen screen(!options.plain);
    asio::co_spawn(loop, show(options, device, lateness, running), stop);
    asio::co_spawn(loop, common::beat(lateness, running), stop);
    asio::co_spawn(loop, stopOnSignal(signals, running), stop);
    loop.run();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace
}  // namespace dashboard

int main(int count, char** arguments) {
    try {
        const dashboard::Options options = dashboard::parseOptions({arguments + 1, arguments + count});
        if (options.help) {
            fmt::print("{}", dashboard::usage);
            return 0;
        }
        dashboard::run(options);
        return 0;
    } catch (const std::invalid_argument& error) {
        fmt::print(stderr, "dashboard: {}; see dashboard --help\n", error.what());
        return 2;
    } catch (const std::exception& error) {
        fmt::print(stderr, "dashboard: {}\n", error.what());
        return 1;
    }
}
