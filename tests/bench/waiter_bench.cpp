// What the ways of waiting for fences cost, as a table: the round trip of 16 bytes, and the processor time of the threads during a
// job of some 200 ms. For each way a device with a GL thread and one attached to the loop; the ways take turns, medians count.

#include <unistd.h>

#include <asio/awaitable.hpp>
#include <asio/co_spawn.hpp>
#include <asio/io_context.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <stile/attach.hpp>
#include <stile/stile.hpp>

#include "own_context.hpp"

namespace {

using Clock = std::chrono::steady_clock;
constexpr int rounds = 7, trips = 300, warmUp = 20;

double microseconds(Clock::duration time) { return std::chrono::duration<double, std::micro>(time).count(); }

double median(std::vector<double> values) {
    std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
    return values[values.size() / 2];
}

/// Milliseconds on a processor by thread: the loop's, and the library's by name.
std::map<std::string, double> threadTimes() {
    std::map<std::string, double> out;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
        std::ifstream comm(task.path() / "comm"), stat(task.path() / "schedstat");
        std::string name;
        double nanoseconds = 0;
        std::getline(comm, name);
        stat >> nanoseconds;
        const bool loop = task.path().filename() == std::to_string(getpid());
        if (loop || name.starts_with("stile-")) out[loop ? "loop" : name] += nanoseconds / 1e6;
    }
    return out;
}

stile::Tensor job(int length) {
    const stile::Tensor weights = stile::fill({512, 512}, 1.0 / 512);
    stile::Tensor x = stile::ones({512, 512}) + 0.0F;
    for (int i = 0; i < length; ++i) x = x.matMul(weights);
    return stile::max(x);
}

struct Figures {
    std::vector<double> trip, length, loop, gl, helper;
};

/// A device of one kind while it is measured.
struct Trial {
    explicit Trial(bool attached) {
        if (attached) context.emplace();
        device.emplace(attached ? stile::Device::attach(loop.get_executor(), test::OwnContext::load) : stile::Device::open());
    }
    template <class T>
    T run(asio::awaitable<T> coroutine) {
        std::optional<T> out;
        asio::co_spawn(loop, std::move(coroutine), [&](std::exception_ptr error, T value) {
            if (error) std::rethrow_exception(error);
            out = std::move(value);
        });
        loop.restart();
        loop.run();
        return *out;
    }

    asio::io_context loop{1};
    std::optional<test::OwnContext> context;
    std::optional<stile::Device> device;
};

asio::awaitable<double> roundTrip() {
    const stile::Tensor x = stile::range(0, 4);
    std::vector<double> times;
    for (int i = 0; i < warmUp + trips; ++i) {
        const auto start = Clock::now();
        const stile::Tensor y = x + static_cast<float>(i);
        (void)co_await y.data();
        if (i >= warmUp) times.push_back(microseconds(Clock::now() - start));
    }
    co_return median(times);
}

asio::awaitable<double> length(int steps) {
    const stile::Tensor y = job(steps);
    const auto start = Clock::now();
    (void)co_await y.data();
    co_return microseconds(Clock::now() - start) / 1000;
}

void measure(bool attached, int steps, Figures& out) {
    Trial trial(attached);
    (void)trial.run(length(steps));
    out.trip.push_back(trial.run(roundTrip()));
    auto before = threadTimes();
    out.length.push_back(trial.run(length(steps)));
    auto after = threadTimes();
    out.loop.push_back(after["loop"] - before["loop"]);
    out.gl.push_back(after["stile-gl"] - before["stile-gl"]);
    out.helper.push_back(after["stile-wait"] - before["stile-wait"]);
}

}  // namespace

int main() {
    // What a driver does not offer is told by a warning, and left out.
    bool offered = true;
    stile::setLogSink([&](stile::LogLevel, std::string_view text) {
        if (text.find("is not available") != std::string_view::npos) offered = false;
    });
    const std::array<const char*, 3> ways{"timer", "egl", "descriptor"};
    std::array<std::array<Figures, 2>, 3> figures;
    int steps = 40;
    {
        Trial trial(false);
        (void)trial.run(length(4));
        steps = std::max(1, static_cast<int>(steps * 200 / trial.run(length(steps))));
        std::printf("%s, %s\n", trial.device->driver().renderer.c_str(), trial.device->driver().version.c_str());
    }
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t way = 0; way < ways.size(); ++way) {
            setenv("STILE_WAITER", ways[way], 1);
            offered = true;
            (void)stile::Device::open();
            if (!offered) continue;
            for (const bool attached : {false, true}) measure(attached, steps, figures[way][attached ? 1 : 0]);
        }
    }
    std::ifstream load("/proc/loadavg");
    std::string one;
    load >> one;
    std::printf("medians of %d rounds; load %s\n", rounds, one.c_str());
    std::printf("%-12s %-10s %12s %10s %10s %10s %10s\n", "waiter", "GL on", "16 bytes us", "job ms", "loop ms", "GL ms",
                "helper ms");
    for (std::size_t way = 0; way < ways.size(); ++way) {
        for (std::size_t attached = 0; attached < 2; ++attached) {
            const Figures& f = figures[way][attached];
            if (f.trip.empty()) continue;
            std::printf("%-12s %-10s %12.0f %10.0f %10.2f %10.2f %10.2f\n", ways[way], attached ? "the loop" : "a thread",
                        median(f.trip), median(f.length), median(f.loop), median(f.gl), median(f.helper));
        }
    }
}
