#define BOOST_TEST_MODULE stress
#include <boost/test/unit_test.hpp>

#include <asio/awaitable.hpp>
#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/io_context.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <vector>

#include <stile/stile.hpp>

#include "process.hpp"
#include "rig.hpp"
#include "run.hpp"

using stile::Tensor;
using test::Rig;
using Clock = std::chrono::steady_clock;
using Floats = std::vector<float>;

namespace {

double seconds(Clock::duration time) { return std::chrono::duration<double>(time).count(); }

void printCounters(const char* when, const stile::Device& device) {
    const stile::MemoryInfo m = device.memory();
    const stile::DeviceStats s = device.stats();
    std::printf(
        "%s: %lld tensors, %lld recorded, %lld buffers, %zu KiB live, %zu KiB pooled, %zu KiB staging, %zu KiB peak; "
        "%lld dispatches, %lld copies, %lld fences, %lld programs; %zu threads, %zu MiB resident\n",
        when, static_cast<long long>(m.tensors), static_cast<long long>(m.recorded), static_cast<long long>(m.buffers),
        m.live >> 10, m.pooled >> 10, m.staging >> 10, m.peak >> 10, static_cast<long long>(s.dispatches),
        static_cast<long long>(s.copies), static_cast<long long>(s.fences), static_cast<long long>(s.programs),
        test::threads().size(), test::residentBytes() >> 20);
}

constexpr int million = 1'000'000;

}  // namespace

BOOST_AUTO_TEST_CASE(a_chain_of_a_million_operations_is_recorded_and_destroyed) {
    const auto start = Clock::now();
    {
        Tensor x = stile::tensor(Floats{0, 1, 2, 3});
        for (int i = 0; i < million; ++i) x = x + 1.0F;
        std::printf("recorded a million operations in %.2f s\n", seconds(Clock::now() - start));
    }
    std::printf("recorded and destroyed in %.2f s\n", seconds(Clock::now() - start));
}

BOOST_AUTO_TEST_CASE(a_chain_of_a_million_operations_is_run_at_once) {
    // Recorded before there is a device, so that nothing of it runs before the download.
    Tensor x = stile::tensor(Floats{0, 1, 2, 3});
    for (int i = 0; i < million; ++i) x = x + 1.0F;
    const stile::Device device = stile::Device::open();
    const auto start = Clock::now();
    BOOST_TEST(test::run(x.data()) == (Floats{million, million + 1, million + 2, million + 3}));
    std::printf("ran a million operations in %.2f s\n", seconds(Clock::now() - start));
    printCounters("a million operations at once", device);
}

BOOST_AUTO_TEST_CASE(a_chain_of_a_million_operations_is_run_as_it_is_recorded) {
    const stile::Device device = stile::Device::open();
    Tensor x = stile::tensor(Floats{0, 1, 2, 3});
    const auto start = Clock::now();
    for (int i = 0; i < million; ++i) x = x + 1.0F;
    const double recorded = seconds(Clock::now() - start);
    BOOST_TEST(test::run(x.data()) == (Floats{million, million + 1, million + 2, million + 3}));
    std::printf("recorded in %.2f s, ran in %.2f s\n", recorded, seconds(Clock::now() - start));
    printCounters("a million operations", device);
    BOOST_TEST(device.memory().buffers < 100);
}

BOOST_AUTO_TEST_CASE(ten_thousand_operations_without_a_download_stay_bounded) {
    const stile::Device device = stile::Device::open();
    Tensor x = stile::ones({64, 64});
    std::int64_t mostRecorded = 0;
    for (int i = 0; i < 10000; ++i) {
        switch (i % 4) {
            case 0: x = x + 1.0F; break;
            case 1: x = stile::sum(x, 0, true) * stile::ones({64, 1}); break;
            case 2: x = x.transpose(); break;
            default: x = stile::tanh(x);
        }
        mostRecorded = std::max(mostRecorded, device.memory().recorded);
    }
    test::run(device.idle());
    test::run(stile::eval(x));
    printCounters("10,000 operations", device);
    std::printf("most recorded at a time: %lld\n", static_cast<long long>(mostRecorded));
    BOOST_TEST(device.memory().recorded == 0);
    BOOST_TEST(device.memory().tensors < 10);
    BOOST_TEST(device.memory().peak < 64U << 20);
    BOOST_TEST(device.memory().buffers < 2048);
    BOOST_TEST(device.stats().programs < 20);
}

namespace {

asio::awaitable<void> downloads(int count, unsigned seed, int& wrong) {
    std::minstd_rand random(seed);
    const auto number = [&](int limit) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(limit)) + 1; };
    for (int i = 0; i < count; ++i) {
        const stile::Shape shapes[] = {{number(3000)}, {number(50), number(50)}, {number(12), number(12), number(12)}};
        const stile::Shape shape = shapes[random() % 3];
        const auto value = static_cast<float>(random() % 1000);
        const Tensor y = stile::fill(shape, value) + 1.0F;
        const Floats values = co_await y.data();
        const bool right = static_cast<std::int64_t>(values.size()) == shape.size() &&
                           std::ranges::all_of(values, [&](float v) { return v == value + 1.0F; });
        if (!right) ++wrong;
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(ten_thousand_downloads_of_random_shapes_stay_bounded) {
    constexpr int coroutines = 40, each = 250;
    Rig rig;
    int wrong = 0;
    const auto round = [&](int count) {
        for (unsigned i = 0; i < coroutines; ++i) asio::co_spawn(*rig.loop, downloads(count, i + 1, wrong), asio::detached);
        rig.loop->restart();
        rig.loop->run();
    };
    round(20);
    printCounters("after 800 downloads", *rig.device);
    const auto early = rig.device->memory();
    const std::size_t threads = test::threads().size(), resident = test::residentBytes();
    const auto start = Clock::now();
    round(each);
    printCounters("after 10,000 more", *rig.device);
    std::printf("10,000 downloads in %.2f s\n", seconds(Clock::now() - start));
    rig.get(rig.device->idle());  // the GL thread lets go of a download's tensor after it has delivered it
    const auto late = rig.device->memory();
    BOOST_TEST(wrong == 0);
    BOOST_TEST(late.buffers <= early.buffers * 2 + 64);
    BOOST_TEST(late.tensors == 0);
    BOOST_TEST(late.recorded == 0);
    BOOST_TEST(late.staging <= early.staging * 2 + (1U << 20));
    BOOST_TEST(rig.device->stats().programs < 20);
    BOOST_TEST(rig.device->stats().fencesInFlight == 0);
    BOOST_TEST(test::threads().size() == threads);
    BOOST_TEST(test::residentBytes() < resident + (64U << 20));
}
