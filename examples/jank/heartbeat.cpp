#include "heartbeat.hpp"

#include <asio/steady_timer.hpp>
#include <asio/this_coro.hpp>
#include <asio/use_awaitable.hpp>

#include <utility>

namespace jank {

asio::awaitable<void> beat(Clock::duration period, const bool& running, std::vector<Tick>& ticks, std::function<void()> each) {
    asio::steady_timer timer(co_await asio::this_coro::executor);
    Clock::time_point due = Clock::now() + period;
    while (running) {
        timer.expires_at(due);
        co_await timer.async_wait(asio::use_awaitable);
        const Clock::time_point now = Clock::now();
        for (; due <= now; due += period) ticks.push_back({due, now});
        if (each) each();
    }
}

}  // namespace jank
