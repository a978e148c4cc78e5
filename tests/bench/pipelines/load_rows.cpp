#include <asio/steady_timer.hpp>
#include <asio/this_coro.hpp>
#include <asio/use_awaitable.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>
#include <vector>

#include <stile/stile.hpp>

#include "row.hpp"
#include "session.hpp"

namespace bench {
namespace {

using stile::Tensor;
using namespace std::chrono_literals;

/// A long graph, step by step of about the same length.
Tensor graph(int steps) {
    const Tensor weights = stile::fill({512, 512}, 1.0 / 512);
    Tensor x = stile::ones({512, 512}) + 0.0F;
    for (int i = 0; i < steps; ++i) x = stile::matMul(x, weights);
    return stile::max(x);
}

asio::awaitable<double> length(int steps) {
    const Tensor last = graph(steps);
    const auto start = Clock::now();
    co_await stile::eval(last);
    co_return millisecondsSince(start);
}

struct Observed {
    std::vector<double> pings, lateness;
    bool running = true;
};

/// A tiny operation and its download, again and again.
asio::awaitable<void> ping(Observed& out) {
    asio::steady_timer timer(co_await asio::this_coro::executor);
    const Tensor x = stile::range(0, 4);
    timer.expires_after(20ms);  // the graph has begun by then
    co_await timer.async_wait(asio::use_awaitable);
    for (float shift = 0; out.running; shift += 1) {
        const auto start = Clock::now();
        const Tensor y = x + Tensor(shift);
        (void)co_await y.data();
        out.pings.push_back(millisecondsSince(start));
        timer.expires_after(5ms);
        co_await timer.async_wait(asio::use_awaitable);
    }
}

/// How late the loop gets to each millisecond. All that fall due in a standstill count.
asio::awaitable<void> beat(Observed& out) {
    asio::steady_timer timer(co_await asio::this_coro::executor);
    for (auto due = Clock::now() + 1ms; out.running;) {
        timer.expires_at(due);
        co_await timer.async_wait(asio::use_awaitable);
        for (const auto now = Clock::now(); due <= now; due += 1ms) {
            out.lateness.push_back(std::chrono::duration<double, std::milli>(now - due).count());
        }
    }
}

asio::awaitable<bool> observe(int steps, Observed& out) {
    const auto executor = co_await asio::this_coro::executor;
    const auto spawn = [&executor](asio::awaitable<void> coroutine) {
        asio::co_spawn(executor, std::move(coroutine), [](std::exception_ptr error) {
            if (error) std::rethrow_exception(error);
        });
    };
    spawn(beat(out));
    spawn(ping(out));
    const Tensor last = graph(steps);
    co_await stile::eval(last);
    out.running = false;
    co_return true;
}

Observed underLoad() {
    // So many recorded operations that none is submitted before it is asked for.
    Session session({.maxRecorded = 1U << 20});
    constexpr int sample = 50;
    (void)runOn(session.loop, length(sample));
    const double ms = runOn(session.loop, length(sample));
    Observed observed;
    (void)runOn(session.loop, observe(std::max(1, static_cast<int>(2000 / ms * sample)), observed));
    return observed;
}

}  // namespace

std::vector<Row> loadRows() {
    return {
        {"ping under a 2 s graph, 95th percentile",
         [](const Effort&) {
             Observed observed = underLoad();
             return Figures{percentile(observed.pings, 0.95)};
         }},
        {"loop lateness under it, 99th percentile",
         [](const Effort&) {
             Observed observed = underLoad();
             return Figures{percentile(observed.lateness, 0.99)};
         }},
    };
}

}  // namespace bench
