#define BOOST_TEST_MODULE turns
#include <boost/test/unit_test.hpp>

#include <asio/bind_cancellation_slot.hpp>
#include <asio/bind_executor.hpp>
#include <asio/cancellation_signal.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <stile/stile.hpp>

#include "rig.hpp"

// A context serves everybody: long graphs run in slices, and what is small does not wait for them. The slices are short here, so that
// graphs of some hundred milliseconds are long.

using namespace std::chrono_literals;
using stile::Tensor;
using Floats = std::vector<float>;
using Order = std::vector<std::string>;

namespace {

constexpr int longJob = 30;

struct Fixture : test::Rig {
    explicit Fixture(std::size_t maxRecorded = 1024)
        : Rig({.maxRecorded = maxRecorded, .slice = 1ms, .sync = stile::SyncPolicy::allow}) {}

    template <class Handler>
    auto onLoop(Handler handler) {
        return asio::bind_executor(loop->get_executor(), std::move(handler));
    }
    /// Asks for a tensor's first value; notes when it comes.
    void ask(const Tensor& tensor, const std::string& name) {
        tensor.data(onLoop([this, name](std::exception_ptr error, const Floats& values) {
            if (error) {
                errors.push_back(test::codeOf(error));
            } else {
                firsts.push_back(values.front());
            }
            ended.push_back(name);
            times.push_back(std::chrono::steady_clock::now());
        }));
    }
    /// Asks for a long graph, and comes back when the device is at it.
    void begin(const Tensor& tensor, const std::string& name) {
        const auto before = device->stats().kernels;
        ask(tensor, name);
        until([&] { return device->stats().kernels > before + 2; });
        BOOST_TEST_REQUIRE(ended.empty());
    }
    void all(std::size_t count) {
        until([&] { return ended.size() == count; });
    }

    Order ended;
    Floats firsts;
    std::vector<std::error_code> errors;
    std::vector<std::chrono::steady_clock::time_point> times;
};

/// A device to which a long graph is given while it is being recorded.
struct Eager : Fixture {
    Eager() : Fixture(16) {}
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(turns, Fixture)

BOOST_AUTO_TEST_CASE(small_downloads_do_not_wait_for_a_long_graph) {
    begin(test::job(longJob), "graph");
    for (int i = 0; i < 3; ++i) {
        ask(stile::ones({4}) + static_cast<float>(i), "ping");
        all(static_cast<std::size_t>(i) + 1);
    }
    all(4);
    BOOST_TEST(ended == Order({"ping", "ping", "ping", "graph"}), boost::test_tools::per_element());
    BOOST_TEST(firsts == Floats({1, 2, 3, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(two_long_graphs_share_the_device) {
    const auto since = std::chrono::steady_clock::now();
    begin(test::job(longJob), "first");
    ask(test::job(longJob), "second");
    all(2);
    // One after the other, the first would have ended after half of the time.
    const std::chrono::duration<double> first = times[0] - since, second = times[1] - since;
    BOOST_TEST(first / second > 0.7);
    BOOST_TEST(firsts == Floats({1, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_another_graph_is_computing_is_waited_for_and_not_computed_again) {
    const Tensor shared = test::job(longJob);
    const auto before = device->stats().kernels;
    begin(shared + 1.0F, "one");
    ask(shared * 4.0F, "two");
    all(2);
    std::ranges::sort(firsts);  // the second may be first: it needs the chain only, not what the first makes of it
    BOOST_TEST(firsts == Floats({2, 4}), boost::test_tools::per_element());
    BOOST_TEST(device->stats().kernels - before <= longJob + 4);
}

BOOST_AUTO_TEST_CASE(idle_waits_for_graphs_that_have_begun_and_not_for_later_ones) {
    begin(test::job(longJob), "graph");
    device->idle(onLoop([this](std::exception_ptr) { ended.push_back("idle"); }));
    until([&] { return device->stats().requestsWaiting == 0; });
    ask(test::job(longJob), "later");
    all(3);
    BOOST_TEST(ended == Order({"graph", "idle", "later"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_request_of_a_batch_does_not_wait_for_the_longest) {
    for (const bool smallFirst : {true, false}) {
        if (smallFirst) ask(stile::ones({4}) + 6.0F, "small");
        ask(test::job(longJob), "graph");
        if (!smallFirst) ask(stile::ones({4}) + 6.0F, "small");
        all(2);
        BOOST_TEST(ended == Order({"small", "graph"}), boost::test_tools::per_element());
        BOOST_TEST(firsts == Floats({7, 1}), boost::test_tools::per_element());
        const std::chrono::duration<double, std::milli> apart = times[1] - times[0];
        BOOST_TEST(apart.count() > 5);
        ended.clear(), firsts.clear(), times.clear();
    }
}

BOOST_AUTO_TEST_CASE(idle_in_a_batch_waits_for_what_was_asked_for_before_and_keeps_nobody_waiting) {
    ask(test::job(longJob), "graph");
    device->idle(onLoop([this](std::exception_ptr) { ended.push_back("idle"); }));
    ask(stile::ones({4}) + 6.0F, "small");
    all(3);
    BOOST_TEST(ended == Order({"small", "graph", "idle"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_graph_that_nobody_waits_for_is_given_up_and_can_be_asked_for_again) {
    const Tensor graph = test::job(2 * longJob);
    const auto before = device->stats().kernels;
    asio::cancellation_signal cancel;
    graph.data(asio::bind_cancellation_slot(
        cancel.slot(), onLoop([this](std::exception_ptr error, const Floats&) { errors.push_back(test::codeOf(error)); })));
    until([&] { return device->stats().kernels > before + 2; });
    cancel.emit(asio::cancellation_type::terminal);
    until([&] { return !errors.empty(); });
    BOOST_TEST(errors.at(0) == test::aborted);
    device->idle(onLoop([this](std::exception_ptr) { ended.push_back("idle"); }));
    all(1);
    const auto begun = device->stats().kernels - before;
    BOOST_TEST(begun < 2 * longJob);
    ask(graph, "again");
    all(2);
    BOOST_TEST(firsts == Floats({1}), boost::test_tools::per_element());
    // What was computed the first time stays.
    BOOST_TEST(device->stats().kernels - before <= 2 * longJob + 3);
}

BOOST_FIXTURE_TEST_CASE(what_is_small_does_not_wait_for_a_graph_that_began_while_it_was_recorded, Eager) {
    ask(stile::ones({4}) + 5.0F, "small");
    ask(test::job(longJob), "graph");
    ask(stile::ones({4}) + 6.0F, "small");
    all(3);
    BOOST_TEST(ended == Order({"small", "small", "graph"}), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_graph_that_began_while_it_was_recorded_ends_when_it_is_dropped, Eager) {
    std::optional<Tensor> graph = test::job(4 * longJob);
    const auto before = device->stats().kernels;
    until([&] { return device->stats().kernels > before + 2; });
    graph.reset();
    device->idle(onLoop([this](std::exception_ptr) { ended.push_back("idle"); }));
    all(1);
    BOOST_TEST(device->stats().kernels - before < 3 * longJob);
}

BOOST_FIXTURE_TEST_CASE(only_what_still_waits_counts_as_recorded, Eager) {
    const auto before = device->stats().submissions;
    constexpr int rounds = 12;
    for (int i = 0; i < rounds; ++i) BOOST_TEST((stile::sqrt(stile::ones({4}) + 3.0F) * 2.0F).dataSync().front() == 4.0F);
    BOOST_TEST(device->stats().submissions - before == rounds);
}

BOOST_AUTO_TEST_CASE(a_long_dispatch_is_cut_and_computes_the_same) {
    constexpr std::int64_t size = std::int64_t{1} << 22;
    Floats ramp(size);
    for (std::size_t i = 0; i < ramp.size(); ++i) ramp[i] = static_cast<float>(i % 4096);
    const Tensor x = stile::tensor(ramp, {size});
    std::int64_t dispatches = 0;
    // Its speed is known from the second time on.
    for (int i = 0; i < 4; ++i) {
        const auto before = device->stats().dispatches;
        const Floats y = stile::sin(x * 0.5F).dataSync();
        dispatches = device->stats().dispatches - before;
        for (const std::size_t at : {0, 1, 4097, 1 << 21, (1 << 22) - 1}) {
            BOOST_TEST(y[at] == std::sin(ramp[at] * 0.5F), boost::test_tools::tolerance(1e-4F));
        }
    }
    BOOST_TEST(dispatches > 1);
}

BOOST_AUTO_TEST_CASE(a_blocking_download_may_come_in_the_middle) {
    begin(test::job(longJob), "graph");
    BOOST_TEST((stile::ones({4}) + 1.0F).dataSync() == Floats({2, 2, 2, 2}), boost::test_tools::per_element());
    all(1);
    BOOST_TEST(firsts == Floats({1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_graph_that_has_begun_ends_with_its_device) {
    begin(test::job(10 * longJob), "graph");
    device->close();
    all(1);
    BOOST_TEST(errors.at(0) == stile::errc::device_closed);
}

BOOST_AUTO_TEST_SUITE_END()
