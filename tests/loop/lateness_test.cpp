#define BOOST_TEST_MODULE lateness
#include <boost/test/unit_test.hpp>

#include <asio/awaitable.hpp>
#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/io_context.hpp>
#include <asio/steady_timer.hpp>
#include <asio/use_awaitable.hpp>

#include <unistd.h>
#include <algorithm>
#include <cstdio>
#include <vector>

#include <stile/stile.hpp>

#include "process.hpp"
#include "rig.hpp"
#include "slowness.hpp"

using namespace std::chrono_literals;
using stile::Tensor;
using test::Rig;
using Clock = std::chrono::steady_clock;

namespace {

double milliseconds(std::chrono::nanoseconds time) { return std::chrono::duration<double, std::milli>(time).count(); }

struct Watch {
    bool running = true;
    std::vector<std::chrono::nanoseconds> late;
};

/// Notes by how much a timer of 2 ms is late, again and again.
asio::awaitable<void> watchTheLoop(Watch& watch) {
    asio::steady_timer timer(co_await asio::this_coro::executor);
    while (watch.running) {
        const auto due = Clock::now() + 2ms;
        timer.expires_at(due);
        co_await timer.async_wait(asio::use_awaitable);
        watch.late.push_back(Clock::now() - due);
    }
}

asio::awaitable<void> waitFor(Tensor y, Watch& watch, Clock::duration& took) {
    const auto start = Clock::now();
    const std::vector<float> values = co_await y.data();
    took = Clock::now() - start;
    watch.running = false;
    BOOST_TEST(values.at(0) == 1.0F);
}

asio::awaitable<void> one(Tensor y, float expected, std::vector<int>& done, std::size_t index) {
    const std::vector<float> values = co_await y.data();
    BOOST_TEST(values == std::vector<float>(8, expected));
    ++done[index];
}

std::ptrdiff_t countOf(const char* name) {
    return std::ranges::count_if(test::threads(), [name](const auto& entry) { return entry.second.name == name; });
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_pending_job_of_two_seconds_costs_the_loop_thread_nearly_nothing_and_delays_it_little) {
    Rig rig;
    (void)rig.get(test::job(2).data());
    const auto before = Clock::now();
    (void)rig.get(test::job(20).data());
    const auto twenty = Clock::now() - before;
    const int length = std::max(20, static_cast<int>(20 * (2s / std::chrono::duration<double>(twenty))));

    Watch watch;
    Clock::duration took{};
    const auto cpu = test::cpuTime(CLOCK_THREAD_CPUTIME_ID);
    asio::co_spawn(*rig.loop, watchTheLoop(watch), asio::detached);
    asio::co_spawn(*rig.loop, waitFor(test::job(length), watch, took), asio::detached);
    rig.loop->restart();
    rig.loop->run();
    const double share = milliseconds(test::cpuTime(CLOCK_THREAD_CPUTIME_ID) - cpu) / milliseconds(took);
    std::ranges::sort(watch.late);
    const auto at = [&](double part) {
        return milliseconds(watch.late[static_cast<std::size_t>(part * static_cast<double>(watch.late.size() - 1))]);
    };
    std::printf("a job of %.0f ms: loop thread %.2f %% CPU; lateness median %.2f ms, 99%% %.2f ms, worst %.2f ms\n",
                milliseconds(took), share * 100, at(0.5), at(0.99), at(1));
    BOOST_TEST(milliseconds(took) > 500.0);
    BOOST_TEST(share < 0.05 * test::slowness);
    // The bounds leave room for a machine that is busy with other things; a loop that stood still would be late by the whole job.
    BOOST_TEST(at(0.5) < 2.0 * test::slowness);
    BOOST_TEST(at(1) < milliseconds(took) / 4);
}

BOOST_AUTO_TEST_CASE(an_idle_program_wakes_nobody_and_uses_no_cpu) {
    Rig rig;
    (void)rig.get(test::job(2).data());
    std::this_thread::sleep_for(100ms);
    const auto before = test::threads();
    const auto cpu = test::cpuTime(CLOCK_PROCESS_CPUTIME_ID);
    std::this_thread::sleep_for(1s);
    const auto used = test::cpuTime(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    for (const auto& [id, info] : test::threads()) {
        if (id == std::to_string(getpid())) continue;  // this one slept
        // The sanitizer's own thread, which has the program's name.
        if (test::threadSanitizer && info.name == before.at(std::to_string(getpid())).name) continue;
        BOOST_TEST(info.wakeUps == before.at(id).wakeUps, info.name << " woke");
    }
    std::printf("idle for a second: %.3f ms of CPU\n", milliseconds(used));
    BOOST_TEST(milliseconds(used) < 2.0 * test::slowness);
}

BOOST_AUTO_TEST_CASE(a_device_has_one_thread_beside_the_drivers_and_none_when_closed) {
    std::vector<std::size_t> left{};
    for (int round = 0; round < 3; ++round) {
        {
            Rig rig({.hostKernels = false});  // oneDNN has a team of threads of its own
            (void)rig.get(test::job(2).data());
            BOOST_TEST(countOf("stile-gl") == 1);
            std::printf("threads with a device:");
            for (const auto& [id, info] : test::threads()) std::printf(" %s", info.name.c_str());
            std::printf("\n");
        }
        BOOST_TEST(countOf("stile-gl") == 0);
        // Mesa's queues, named with a colon, get threads when they have much to do.
        left.push_back(static_cast<std::size_t>(std::ranges::count_if(
            test::threads(), [](const auto& entry) { return entry.second.name.find(':') == std::string::npos; })));
    }
    // Drivers keep theirs with the display, but no more for each device.
    BOOST_TEST(left[2] == left[1]);
}

BOOST_AUTO_TEST_CASE(a_thousand_coroutines_are_served_once_each_behind_few_fences) {
    Rig rig;
    std::vector<int> done(1000, 0);
    const Tensor x = stile::ones({8}) + 0.0F;
    const auto before = rig.device->stats();
    for (std::size_t i = 0; i < done.size(); ++i) {
        const auto addend = static_cast<float>(i);
        asio::co_spawn(*rig.loop, one(x + addend, 1.0F + addend, done, i), asio::detached);
    }
    const auto start = Clock::now();
    rig.loop->restart();
    rig.loop->run();
    const auto after = rig.device->stats();
    std::printf("1000 downloads in %.1f ms: %lld submissions, %lld dispatches, %lld copies, %lld fences, %lld polls\n",
                milliseconds(Clock::now() - start), static_cast<long long>(after.submissions - before.submissions),
                static_cast<long long>(after.dispatches - before.dispatches),
                static_cast<long long>(after.copies - before.copies), static_cast<long long>(after.fences - before.fences),
                static_cast<long long>(after.polls - before.polls));
    BOOST_CHECK(std::ranges::all_of(done, [](int times) { return times == 1; }));
    BOOST_TEST(after.fences - before.fences <= 20);
    BOOST_TEST(rig.device->stats().fencesInFlight == 0);
}
