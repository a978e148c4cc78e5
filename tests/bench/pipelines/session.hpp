#pragma once

#include <asio/awaitable.hpp>
#include <asio/io_context.hpp>

#include <chrono>
#include <functional>
#include <stdexcept>
#include <vector>

#include <stile/stile.hpp>

#include "timing.hpp"

namespace bench {

/// A device and a loop for one row. While it lives its device is the default.
struct Session {
    explicit Session(const stile::DeviceOptions& options = {}) : device(stile::Device::open(options)) {}

    asio::io_context loop{1};
    stile::Device device;
};

/// One run of a side on a loop; gives its milliseconds.
using Run = std::function<asio::awaitable<double>()>;

inline asio::awaitable<std::vector<double>> runs(const Run& once, std::chrono::milliseconds block) {
    const auto start = Clock::now();
    std::vector<double> times;
    do {
        times.push_back(co_await once());
    } while (times.size() < most && Clock::now() - start < block);
    co_return times;
}

/// A side whose runs are coroutines. The session has to outlive it.
inline Side awaited(Session& session, Run once) {
    return
        [&session, once = std::move(once)](std::chrono::milliseconds block) { return runOn(session.loop, runs(once, block)); };
}

/// Has the values computed before anything is timed.
inline void compute(Session& session, const std::vector<stile::Tensor>& values) {
    struct Wait {
        static asio::awaitable<bool> until(const std::vector<stile::Tensor>& computed) {
            co_await stile::eval(computed);
            co_return true;
        }
    };
    (void)runOn(session.loop, Wait::until(values));
}

}  // namespace bench
