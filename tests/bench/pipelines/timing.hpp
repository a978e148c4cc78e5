#pragma once

#include <asio/awaitable.hpp>
#include <asio/co_spawn.hpp>
#include <asio/io_context.hpp>

#include <chrono>
#include <exception>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace bench {

using Clock = std::chrono::steady_clock;

inline double millisecondsSince(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// How much time goes into a row.
struct Effort {
    int rounds = 3;
    std::chrono::milliseconds block{400};  ///< of one side in one round
};

/// Runs for about so long, at least once and not more than `most` times; gives the milliseconds of each run.
using Side = std::function<std::vector<double>(std::chrono::milliseconds block)>;
constexpr std::size_t most = 300;

/// A side whose runs are calls; `once` gives the milliseconds of one.
[[nodiscard]] Side repeated(std::function<double()> once);
/// One whose runs are timed from outside.
[[nodiscard]] Side timed(std::function<void()> once);

/// 0 < share < 1. Changes the order.
[[nodiscard]] double percentile(std::vector<double>& values, double share);
[[nodiscard]] double median(std::vector<double> values);

/// The medians of two sides that take turns, so that whatever else the machine does disturbs both; the first run of each does not
/// count. An empty side has none.
[[nodiscard]] std::pair<double, std::optional<double>> compare(const Side& one, const Side& other, const Effort& effort);

/// Runs a coroutine on a loop until it is out of work; gives its result or throws its exception.
template <class T>
T runOn(asio::io_context& loop, asio::awaitable<T> coroutine) {
    std::optional<T> out;
    asio::co_spawn(loop, std::move(coroutine), [&out](std::exception_ptr error, T value) {
        if (error) std::rethrow_exception(error);
        out.emplace(std::move(value));
    });
    loop.restart();
    loop.run();
    return std::move(*out);
}

}  // namespace bench
