// How an event loop feels while GPU results are downloaded: once with the blocking twins, once with co_await.
// What is shown stands in three files: pipeline.cpp (the work), heartbeat.cpp (the animation, and how late it is) and trial.cpp
// (both on one loop). The others read a photo, count, and draw.

#include <fmt/format.h>
#include <asio/co_spawn.hpp>
#include <asio/io_context.hpp>
#include <asio/use_future.hpp>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <future>
#include <stdexcept>
#include <utility>

#include <stile/stile.hpp>

#include "image.hpp"
#include "options.hpp"
#include "pipeline.hpp"
#include "progress.hpp"
#include "summary.hpp"
#include "timeline.hpp"
#include "trial.hpp"
#include "window.hpp"

namespace jank {
namespace {

struct Trials {
    Trial sync, async;
};

asio::awaitable<Trials> runBoth(const Pipeline& pipeline, Clock::duration length, Progress& progress) {
    progress.stage("one job to compile the shaders");
    (void)co_await download(pipeline.job(0));
    progress.stage("jobs with arraySync()");
    Trial sync = co_await runTrial(pipeline, Mode::sync, length, [&] { progress.update(); });
    progress.stage("the same jobs with co_await array()");
    Trial async = co_await runTrial(pipeline, Mode::async, length, [&] { progress.update(); });
    co_return Trials{std::move(sync), std::move(async)};
}

Trials runOnLoop(const Pipeline& pipeline, Clock::duration length) {
    Progress progress(2 * length + std::chrono::seconds(1));
    asio::io_context loop;
    std::future<Trials> trials = asio::co_spawn(loop, runBoth(pipeline, length, progress), asio::use_future);
    loop.run();
    return trials.get();
}

bool compareTrials(const Options& options, const Pipeline& pipeline) {
    std::filesystem::create_directories(options.out);
    const auto length = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.seconds));
    const Trials trials = runOnLoop(pipeline, length);

    const Comparison comparison = compare(trials.sync, trials.async);
    fmt::print("\n{}\n", table(summarize(trials.sync), summarize(trials.async), comparison));

    const Results& first = trials.async.results.front();
    fmt::print("{}\n", describe(first));
    writePng(options.out / "edges.png", greyImage(pipeline.width(), pipeline.height(), first.edges.flat()));
    writePng(options.out / "blur.png", greyImage(pipeline.width(), pipeline.height(), first.blur.flat()));
    writePng(options.out / "timeline.png", drawTimeline(trials.sync, trials.async));
    fmt::print("{0}/edges.png, {0}/blur.png and {0}/timeline.png show it\n", options.out.string());
    return comparison.equal;
}

bool run(const Options& options) {
    const Image photo = readImage(options.photo);
    // Blocking is what is shown here, so there is no need to warn of it.
    const stile::Device device = stile::Device::open({.deviceIndex = options.device, .sync = stile::SyncPolicy::allow});
    fmt::print("{}, {}\n", device.driver().renderer, device.driver().version);
    const Pipeline pipeline(photo, options.height, options.load);
    return options.window ? runWindow(options, pipeline) : compareTrials(options, pipeline);
}

}  // namespace
}  // namespace jank

int main(int count, char** arguments) {
    try {
        const jank::Options options = jank::parseOptions({arguments + 1, arguments + count});
        if (options.help) {
            fmt::print("{}", jank::usage);
            return 0;
        }
        return jank::run(options) ? 0 : 1;
    } catch (const std::invalid_argument& error) {
        fmt::print(stderr, "jank: {}; see jank --help\n", error.what());
        return 2;
    } catch (const std::exception& error) {
        fmt::print(stderr, "jank: {}\n", error.what());
        return 1;
    }
}
