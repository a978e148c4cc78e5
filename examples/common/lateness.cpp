#include "lateness.hpp"

#include <asio/steady_timer.hpp>
#include <asio/this_coro.hpp>
#include <asio/use_awaitable.hpp>

#include <algorithm>
#include <cmath>

namespace common {

void Lateness::record(Clock::time_point due, Clock::time_point seen) {
    now_ = std::chrono::duration_cast<std::chrono::seconds>(seen.time_since_epoch()).count();
    Second& second = ring_[static_cast<std::size_t>(now_) % seconds];
    if (second.when != now_) second = {.when = now_, .counts = {}, .longest = {}};
    const Clock::duration late = std::max(seen - due, Clock::duration::zero());
    const double milliseconds = std::chrono::duration<double, std::milli>(late).count();
    const double steps = std::ceil(std::log(std::max(milliseconds, firstEdge) / firstEdge) / std::log(growth));
    ++second.counts[std::min(static_cast<std::size_t>(steps), buckets - 1)];
    second.longest = std::max(second.longest, late);
}

double Lateness::percentile(double percent) const {
    std::array<std::uint64_t, buckets> counts{};
    std::uint64_t total = 0;
    for (const Second& second : ring_) {
        if (!isRecent(second)) continue;
        for (std::size_t i = 0; i < buckets; ++i) counts[i] += second.counts[i];
    }
    for (const std::uint64_t count : counts) total += count;
    if (total == 0) return 0;
    const double wanted = static_cast<double>(total) * percent / 100;
    std::uint64_t below = 0;
    std::size_t bucket = 0;
    while (bucket + 1 < buckets && static_cast<double>(below += counts[bucket]) < wanted) ++bucket;
    return std::min(firstEdge * std::pow(growth, static_cast<double>(bucket)), longest());
}

double Lateness::longest() const {
    Clock::duration most{};
    for (const Second& second : ring_) {
        if (isRecent(second)) most = std::max(most, second.longest);
    }
    return std::chrono::duration<double, std::milli>(most).count();
}

std::uint64_t Lateness::beats() const {
    std::uint64_t total = 0;
    for (const Second& second : ring_) {
        if (!isRecent(second)) continue;
        for (const std::uint32_t count : second.counts) total += count;
    }
    return total;
}

asio::awaitable<void> beat(Lateness& lateness, const bool& running) {
    using Clock = Lateness::Clock;
    asio::steady_timer timer(co_await asio::this_coro::executor);
    Clock::time_point due = Clock::now() + Lateness::period;
    while (running) {
        timer.expires_at(due);
        co_await timer.async_wait(asio::use_awaitable);
        const Clock::time_point now = Clock::now();
        for (; due <= now; due += Lateness::period) lateness.record(due, now);
    }
}

}  // namespace common
