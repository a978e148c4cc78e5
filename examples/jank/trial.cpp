#include "trial.hpp"

#include <asio/co_spawn.hpp>
#include <asio/experimental/awaitable_operators.hpp>
#include <asio/steady_timer.hpp>
#include <asio/this_coro.hpp>
#include <asio/use_awaitable.hpp>

#include <utility>

namespace jank {
namespace {

/// Job after job; in between, everything else that is due gets its turn.
asio::awaitable<void> work(const Pipeline& pipeline, Clock::duration length, Trial& trial, bool& running) {
    asio::steady_timer turn(co_await asio::this_coro::executor);
    do {
        const Clock::time_point begin = Clock::now();
        const Job job = pipeline.job(static_cast<int>(trial.jobs.size()));
        Results results;
        if (trial.mode == Mode::sync) {
            results = downloadSync(job);
        } else {
            results = co_await download(job);
        }
        trial.jobs.push_back({begin, Clock::now()});
        if (trial.results.size() < Trial::kept) trial.results.push_back(std::move(results));
        turn.expires_at(Clock::now());  // timers fire in the order in which they are due
        co_await turn.async_wait(asio::use_awaitable);
    } while (Clock::now() - trial.begin < length);
    running = false;
}

}  // namespace

asio::awaitable<Trial> runTrial(const Pipeline& pipeline, Mode mode, Clock::duration length, std::function<void()> each) {
    using asio::experimental::awaitable_operators::operator&&;
    Trial trial{.mode = mode, .begin = Clock::now(), .end = {}, .frames = {}, .beats = {}, .jobs = {}, .results = {}};
    bool running = true;
    co_await (beat(framePeriod, running, trial.frames, std::move(each)) && beat(beatPeriod, running, trial.beats) &&
              work(pipeline, length, trial, running));
    trial.end = Clock::now();
    co_return trial;
}

}  // namespace jank
