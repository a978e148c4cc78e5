#define BOOST_TEST_MODULE explain
#include <boost/test/unit_test.hpp>

#include <asio.hpp>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <stile/stile.hpp>
#include <stile/testing.hpp>

#include "rig.hpp"

using namespace std::chrono_literals;
using stile::Tensor;
using test::Rig;
using Floats = std::vector<float>;
using Names = std::vector<std::string>;

namespace {

Tensor roots() { return stile::sqrt(stile::tensor({{1, 4}, {9, 16}})); }

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

bool fused() {
    const char* text = std::getenv("STILE_FUSION");
    return !text || std::string_view(text) != "0";
}

/// A layer with its inputs on the device.
struct Layer {
    Tensor x = stile::ones({4, 3}) + 0.0F, w = stile::ones({3, 5}) + 0.0F, b = stile::ones({5}) + 0.0F;
    [[nodiscard]] Tensor operator()() const { return stile::relu(stile::matMul(x, w) + b); }
};

asio::awaitable<Layer> madeLayer() {
    Layer layer;
    co_await stile::eval(layer.x, layer.w, layer.b);
    co_return layer;
}

}  // namespace

// What a report tells.

BOOST_AUTO_TEST_CASE(an_idle_device_reports_that_it_does_nothing) {
    Rig rig({.label = "quiet"});
    const std::string report = rig.device->report();
    BOOST_TEST_MESSAGE(report);
    BOOST_TEST(contains(report, "device quiet: " + rig.device->driver().renderer));
    BOOST_TEST(contains(report, "runs now: nothing\n"));
    BOOST_TEST(contains(report, "requests: 0 gathered, 0 waiting, 0 running, 0 fenced\n"));
    BOOST_TEST(contains(report, "fences: 0 in flight of 64, 0 overdue\n"));
    rig.device->close();
    BOOST_TEST(contains(rig.device->report(), "device quiet (closed)"));
}

BOOST_AUTO_TEST_CASE(requests_are_listed_from_the_moment_they_are_asked_for_until_they_end) {
    Rig rig;
    bool done = false, looked = false;
    asio::cancellation_signal cancel;
    asio::post(*rig.loop, [&] {
        const Tensor y = roots();
        y.data(asio::bind_executor(*rig.loop, [&](const std::exception_ptr&, const Floats&) { done = true; }));
        y.array(asio::bind_cancellation_slot(cancel.slot(), asio::bind_executor(*rig.loop, [](auto&&...) {})));
        stile::eval(y, asio::bind_executor(*rig.loop, [](auto&&...) {}));
        cancel.emit(asio::cancellation_type::all);
        const stile::DeviceStatus status = rig.device->status();
        BOOST_TEST(status.gathered == 2U);
        BOOST_TEST_REQUIRE(status.oldest.size() == 2U);
        BOOST_TEST(status.oldest[0].what == "values of sqrt [2, 2]");
        BOOST_TEST(status.oldest[0].stage == "gathered");
        BOOST_TEST(status.oldest[0].age.count() >= status.oldest[1].age.count());
        BOOST_TEST(status.oldest[1].what == "end of sqrt [2, 2]");
        looked = true;
    });
    rig.until([&] { return done && looked; });
    const auto gone = [&] {
        const stile::DeviceStatus status = rig.device->status();
        return status.oldest.empty() && status.gathered + status.waiting + status.submitted + status.fenced == 0;
    };
    rig.until(gone);
}

BOOST_AUTO_TEST_CASE(a_report_tells_of_a_dispatch_that_has_not_returned) {
    Rig rig;
    // On these drivers the work is done inside glDispatchCompute.
    const bool inside = !contains(rig.device->driver().renderer, "zink");
    std::atomic<bool> done{false};
    test::job(40).data([&](const std::exception_ptr&, const Floats&) { done = true; });
    rig.device->flush();
    bool sawRunning = false, sawWait = false;
    while (!done) {
        const stile::DeviceStatus status = rig.device->status();
        if (!status.running.empty() && status.runningFor > 1ms) {
            sawRunning = true;
            BOOST_TEST(contains(status.running, "["));
            BOOST_TEST(contains(rig.device->report(), "waits for "));
        }
        if (status.submitted + status.fenced == 1) {
            BOOST_TEST_REQUIRE(status.oldest.size() == 1U);
            BOOST_TEST(status.oldest[0].what == "values of max []");
            sawWait = true;
        }
        std::this_thread::sleep_for(100us);
    }
    BOOST_TEST(sawWait);
    if (inside) BOOST_TEST(sawRunning);
}

BOOST_AUTO_TEST_CASE(requests_at_a_limit_and_overdue_fences_are_told) {
    asio::io_context loop;
    stile::testing::FakeDevice fake(loop, {.otherFences = {.polls = stile::testing::FenceScript::never}},
                                    {.maxFences = 1, .deadline = 10ms});
    int ended = 0;
    const auto ask = [&](const Tensor& tensor) {
        tensor.on(fake.device()).data(asio::bind_executor(loop, [&](const std::exception_ptr&, const Floats&) { ++ended; }));
        fake.device().flush();
        fake.advance(1ms);
    };
    ask(stile::exp(stile::tensor(Floats{1, 2}).on(fake.device())));
    ask(stile::log(stile::tensor(Floats{1, 2, 3}).on(fake.device())));
    stile::DeviceStatus status = fake.device().status();
    BOOST_TEST(status.fenced == 1U);
    BOOST_TEST(status.waiting == 1U);
    BOOST_TEST(status.stats.fencesInFlight == 1);
    BOOST_TEST_REQUIRE(status.oldest.size() == 2U);
    BOOST_TEST(status.oldest[0].what == "values of exp [2]");
    BOOST_TEST(status.oldest[0].stage == "fenced");
    BOOST_TEST(status.oldest[1].what == "values of log [3]");
    BOOST_TEST(status.oldest[1].stage == "waiting");
    BOOST_TEST(status.memory.stagingInUse > 0U);
    fake.advance(20ms);
    BOOST_TEST(ended == 2);
    status = fake.device().status();
    BOOST_TEST(status.stats.fencesOverdue == 1);
    BOOST_TEST(status.oldest.empty());
    BOOST_TEST(contains(fake.device().report(), "fences: 1 in flight of 1, 1 overdue\n"));
}

// Measuring.

BOOST_AUTO_TEST_CASE(time_waits_for_the_results_of_what_it_measures) {
    Rig rig;
    std::optional<Tensor> y;
    const auto make = [&] { return y.emplace(test::job(8)); };
    const stile::Timing timing = rig.get(stile::time(make));
    BOOST_TEST_MESSAGE("wall " << timing.wallMs << " ms, kernels " << timing.kernelMs.value_or(-1) << " ms");
    BOOST_TEST(timing.wallMs > 0.0);
    BOOST_TEST_REQUIRE(timing.kernelMs.has_value());
    BOOST_TEST(*timing.kernelMs > 0.0);
    BOOST_TEST(*timing.kernelMs <= timing.wallMs);
    BOOST_TEST(timing.downloadWaitMs == 0.0);
    // Computed: the download runs nothing any more.
    const auto before = rig.device->stats().kernels;
    BOOST_TEST(rig.get(y->data()).front() == 1.0F);
    BOOST_TEST(rig.device->stats().kernels == before);
}

BOOST_AUTO_TEST_CASE(time_tells_uploads_and_downloads_apart) {
    Rig rig;
    constexpr std::size_t count = std::size_t{1} << 20;
    const auto download = []() -> asio::awaitable<void> {
        const Tensor x = stile::tensor(Floats(count, 2.0F));
        const Tensor y = stile::sqrt(x);
        (void)co_await y.data();
    };
    const stile::Timing timing = rig.get(stile::time(*rig.device, download));
    BOOST_TEST(timing.uploadWaitMs > 0.0);
    BOOST_TEST(timing.downloadWaitMs > 0.0);
    BOOST_TEST(timing.uploadWaitMs + timing.downloadWaitMs < timing.wallMs);
}

BOOST_AUTO_TEST_CASE(a_profile_lists_each_kernel_with_its_shapes_and_sizes) {
    Rig rig;
    const Layer layer = rig.get(madeLayer());
    const auto run = [&layer] { return layer(); };
    const stile::Profile<Tensor> profile = rig.get(stile::profile(run));
    BOOST_TEST(profile.kernelNames == (fused() ? Names{"matMul+add+relu"} : Names{"matMul", "add", "relu"}));
    BOOST_TEST_REQUIRE(profile.kernels.size() == profile.kernelNames.size());
    const stile::KernelProfile& product = profile.kernels.front();
    if (!fused()) {
        BOOST_CHECK(product.inputShapes == std::vector<stile::Shape>({stile::Shape(4, 3), stile::Shape(3, 5)}));
    }
    BOOST_CHECK(product.outputShape == stile::Shape(4, 5));
    const std::size_t before = (4 * 3 + 3 * 5 + 5) * 4, one = 4 * 5 * 4;
    BOOST_TEST(product.bytesAdded == one);
    BOOST_TEST(product.tensorsAdded == 1);
    BOOST_TEST(product.totalBytesSnapshot == before + one);
    BOOST_TEST(product.totalTensorsSnapshot == 4);
    for (const stile::KernelProfile& kernel : profile.kernels) {
        BOOST_TEST(kernel.bytesAdded == one);
        BOOST_TEST_REQUIRE(kernel.kernelTimeMs.has_value());
        BOOST_TEST(*kernel.kernelTimeMs >= 0.0);
    }
    // Only the result is left.
    BOOST_TEST(profile.newBytes == static_cast<std::int64_t>(one));
    BOOST_TEST(profile.newTensors == 1);
    BOOST_TEST(profile.peakBytes >= before + one);
    BOOST_TEST(profile.peakBytes <= before + 3 * one);
    BOOST_TEST(rig.get(profile.result.data()) == Floats(20, 4.0F));
}

BOOST_AUTO_TEST_CASE(a_profile_hands_on_what_the_function_gives) {
    Rig rig;
    const auto list = [] { return std::vector<Tensor>{roots(), stile::sum(roots())}; };
    const auto many = rig.get(stile::profile(list));
    BOOST_TEST(many.result.size() == 2U);
    BOOST_TEST(many.newTensors == 2);

    const auto nothing = [] { (void)roots(); };
    const stile::Profile<void> none = rig.get(stile::profile(nothing));
    BOOST_TEST(none.kernels.empty());
    BOOST_TEST(none.newBytes == 0);

    const auto number = [] { return 7; };
    BOOST_TEST(rig.get(stile::profile(number)).result == 7);

    const auto awaited = []() -> asio::awaitable<Floats> {
        const Tensor y = roots();
        co_return co_await y.data();
    };
    const auto values = rig.get(stile::profile(awaited));
    BOOST_TEST(values.result == (Floats{1, 2, 3, 4}));
    BOOST_TEST(values.kernelNames == Names{"sqrt"});

    const auto later = []() -> asio::awaitable<Tensor> { co_return roots(); };
    BOOST_TEST(rig.get(stile::profile(later)).kernelNames == Names{"sqrt"});
}

BOOST_AUTO_TEST_CASE(measurements_take_any_token_and_deliver_what_the_function_throws) {
    Rig rig;
    stile::Timing timing;
    bool done = false;
    stile::time(roots, asio::bind_executor(*rig.loop, [&](const std::exception_ptr& error, const stile::Timing& t) {
                    BOOST_TEST(!error);
                    timing = t, done = true;
                }));
    BOOST_TEST(!done);
    rig.until([&] { return done; });
    BOOST_TEST(timing.wallMs > 0.0);

    auto future = stile::profile(roots, asio::use_future);
    rig.until([&] { return future.wait_for(0s) == std::future_status::ready; });
    BOOST_TEST(future.get().kernelNames == Names{"sqrt"});

    const auto throws = []() -> Tensor { throw std::runtime_error("no layer"); };
    const auto isIt = [](const std::runtime_error& e) { return std::string_view(e.what()) == "no layer"; };
    BOOST_CHECK_EXCEPTION((void)rig.get(stile::time(throws)), std::runtime_error, isIt);
    const auto throwsLater = []() -> asio::awaitable<Tensor> { throw std::runtime_error("no layer"); };
    BOOST_CHECK_EXCEPTION((void)rig.get(stile::profile(throwsLater)), std::runtime_error, isIt);
}

BOOST_AUTO_TEST_CASE(a_cancelled_measurement_ends_and_watches_no_longer) {
    Rig rig;
    asio::cancellation_signal cancel;
    std::exception_ptr error;
    bool done = false;
    const auto work = [] { return test::job(10); };
    stile::time(work, asio::bind_cancellation_slot(
                          cancel.slot(), asio::bind_executor(*rig.loop, [&](const std::exception_ptr& e, const stile::Timing&) {
                              error = e, done = true;
                          })));
    cancel.emit(asio::cancellation_type::total);
    rig.until([&] { return done; });
    BOOST_TEST(test::codeOf(error) == test::aborted);
}

BOOST_AUTO_TEST_CASE(where_the_driver_tells_no_times_there_are_none) {
    asio::io_context loop;
    stile::testing::FakeDevice fake(loop);
    std::optional<stile::Timing> timing;
    std::optional<stile::Profile<Tensor>> profile;
    const auto work = [&] { return stile::sqrt(stile::tensor(Floats{1, 4}).on(fake.device())); };
    stile::time(fake.device(), work,
                asio::bind_executor(loop, [&](const std::exception_ptr&, const stile::Timing& t) { timing = t; }));
    stile::profile(fake.device(), work, asio::bind_executor(loop, [&](const std::exception_ptr&, stile::Profile<Tensor> p) {
                       profile.emplace(std::move(p));
                   }));
    fake.run();
    BOOST_TEST_REQUIRE(timing.has_value());
    BOOST_TEST(!timing->kernelMs.has_value());
    BOOST_TEST_REQUIRE(profile.has_value());
    BOOST_TEST(!profile->kernels.empty());
    BOOST_TEST(!profile->kernels.front().kernelTimeMs.has_value());
}

// What the trace shows: trace_test.py runs these with STILE_TRACE and reads the file.

BOOST_AUTO_TEST_CASE(traced_work) {
    Rig rig({.label = "traced"});
    const auto app = []() -> asio::awaitable<void> {
        const Tensor x = stile::tensor(Floats(100, 4.0F));
        for (int i = 0; i < 3; ++i) {
            const Tensor y = stile::sqrt(x) + static_cast<float>(i);
            const Tensor z = stile::matMul(stile::reshape(x, {10, 10}), stile::reshape(y, {10, 10}));
            (void)co_await stile::data(y, z);
        }
        co_await stile::eval(stile::sum(x));
    };
    rig.get(app());
    const stile::SyncGuard quiet(stile::SyncPolicy::allow);
    (void)roots().dataSync();
}

BOOST_AUTO_TEST_CASE(traced_until_the_process_is_killed) {
    if (!std::getenv("STILE_TEST_KILL")) return;
    Rig rig;
    const auto end = std::chrono::steady_clock::now() + 500ms;
    while (std::chrono::steady_clock::now() < end) (void)rig.get(roots().data());
    _exit(9);
}
