#define BOOST_TEST_MODULE stream
#include <boost/test/unit_test.hpp>

#include <asio.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include <stile/stile.hpp>
#include <stile/testing.hpp>

using namespace std::chrono_literals;
using stile::Stream;
using stile::StreamPolicy;
using stile::Tensor;
using stile::testing::FakeDevice;
using Floats = std::vector<float>;
using Value = std::optional<stile::NdArray<float>>;

namespace {

/// A value that a device computes: its number.
Tensor number(int n) { return stile::tensor(Floats{static_cast<float>(n - 1)}) + 1.0F; }

/// What calls of `next` gave, in order: numbers, and 0 for none.
struct Taken {
    std::vector<int> numbers;
    std::vector<std::error_code> errors;

    auto on(asio::io_context& loop) {
        return asio::bind_executor(loop.get_executor(), [this](const std::exception_ptr& error, const Value& value) {
            try {
                if (error) std::rethrow_exception(error);
                numbers.push_back(value ? static_cast<int>(value->flat()[0]) : 0);
            } catch (const std::system_error& e) {
                errors.push_back(e.code());
            }
        });
    }
};

auto codeInto(std::vector<std::error_code>& out, asio::io_context& loop) {
    return asio::bind_executor(loop.get_executor(), [&out](const std::exception_ptr& error) {
        try {
            if (error) std::rethrow_exception(error);
            out.emplace_back();
        } catch (const std::system_error& e) {
            out.push_back(e.code());
        }
    });
}

asio::awaitable<void> takeAll(Stream<float>& stream, std::vector<int>& out) {
    while (const Value value = co_await stream.next()) out.push_back(static_cast<int>(value->flat()[0]));
    out.push_back(0);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_consumer_gets_every_value_in_order_and_then_the_end) {
    asio::io_context loop;
    FakeDevice fake(loop);
    Stream<float> stream(loop.get_executor(), {.inFlight = 3, .policy = StreamPolicy::everyOne});
    std::vector<int> seen;
    std::vector<std::error_code> pushed;
    asio::co_spawn(loop, takeAll(stream, seen), asio::detached);
    for (int i = 1; i <= 10; ++i) stream.push(number(i), codeInto(pushed, loop));
    fake.advance(100ms);
    BOOST_TEST(seen == (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), boost::test_tools::per_element());
    stream.close();
    fake.run();
    BOOST_TEST(seen.back() == 0);
    BOOST_TEST(pushed == std::vector<std::error_code>(10), boost::test_tools::per_element());
    BOOST_TEST(stream.stats().delivered == 10U);
    BOOST_TEST(stream.stats().dropped == 0U);
}

BOOST_AUTO_TEST_CASE(what_is_offered_in_one_turn_shares_a_fence) {
    asio::io_context loop;
    FakeDevice fake(loop);
    std::vector<Stream<float>> streams;
    Taken taken;
    for (int i = 0; i < 50; ++i) streams.emplace_back(loop.get_executor());
    for (int i = 0; i < 50; ++i) {
        BOOST_TEST(streams[static_cast<std::size_t>(i)].offer(number(i)));
        streams[static_cast<std::size_t>(i)].next(taken.on(loop));
    }
    fake.run();
    BOOST_TEST(taken.numbers.size() == 50U);
    BOOST_TEST(fake.device().stats().fences == 1);
}

BOOST_AUTO_TEST_CASE(every_one_says_no_at_its_limit_and_takes_again_when_one_was_taken) {
    asio::io_context loop;
    FakeDevice fake(loop);
    Stream<float> stream(loop.get_executor(), {.inFlight = 2, .policy = StreamPolicy::everyOne});
    BOOST_TEST(stream.offer(number(1)));
    BOOST_TEST(stream.offer(number(2)));
    BOOST_TEST(!stream.offer(number(3)));
    fake.advance(10ms);
    BOOST_TEST(!stream.offer(number(3)));  // both are there, but nobody has taken them
    Taken taken;
    stream.next(taken.on(loop));
    fake.advance(10ms);
    BOOST_TEST(stream.offer(number(3)));
    stream.next(taken.on(loop));
    stream.next(taken.on(loop));
    fake.advance(10ms);
    BOOST_TEST(taken.numbers == (std::vector<int>{1, 2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_latest_wins_where_downloads_are_slower_than_offers) {
    asio::io_context loop;
    FakeDevice fake(loop);
    Stream<float> stream(loop.get_executor(), {.inFlight = 1});
    fake.context().hold();
    for (int i = 1; i <= 10; ++i) {
        BOOST_TEST(stream.offer(number(i)));
        fake.advance(1ms);
    }
    BOOST_TEST(stream.stats().inFlight == 1U);
    fake.context().release();
    Taken taken;
    stream.next(taken.on(loop));
    stream.next(taken.on(loop));
    fake.advance(10ms);
    BOOST_TEST(taken.numbers == (std::vector<int>{1, 10}), boost::test_tools::per_element());
    BOOST_TEST(stream.stats().dropped == 8U);
}

BOOST_AUTO_TEST_CASE(the_latest_wins_where_nobody_takes) {
    asio::io_context loop;
    FakeDevice fake(loop);
    Stream<float> stream(loop.get_executor(), {.inFlight = 2});
    for (int i = 1; i <= 10; ++i) {
        stream.offer(number(i));
        fake.advance(5ms);
    }
    Taken taken;
    stream.next(taken.on(loop));
    fake.advance(1ms);
    BOOST_TEST(taken.numbers == (std::vector<int>{10}), boost::test_tools::per_element());
    BOOST_TEST(stream.stats().dropped == 9U);
    BOOST_TEST(fake.device().memory().tensors <= 1);
}

BOOST_AUTO_TEST_CASE(a_cancelled_next_leaves_the_value_for_the_one_after_it) {
    asio::io_context loop;
    FakeDevice fake(loop);
    Stream<float> stream(loop.get_executor());
    asio::cancellation_signal signal;
    Taken cancelled, taken;
    stream.next(asio::bind_cancellation_slot(signal.slot(), cancelled.on(loop)));
    stream.next(taken.on(loop));
    signal.emit(asio::cancellation_type::total);
    stream.offer(number(7));
    fake.advance(10ms);
    BOOST_TEST_REQUIRE(cancelled.errors.size() == 1U);
    BOOST_CHECK(cancelled.errors[0] == asio::error::operation_aborted);
    BOOST_TEST(taken.numbers == (std::vector<int>{7}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_cancelled_push_is_not_taken) {
    asio::io_context loop;
    FakeDevice fake(loop);
    Stream<float> stream(loop.get_executor(), {.inFlight = 1, .policy = StreamPolicy::everyOne});
    asio::cancellation_signal signal;
    std::vector<std::error_code> first, second, third;
    stream.push(number(1), codeInto(first, loop));
    stream.push(number(2), asio::bind_cancellation_slot(signal.slot(), codeInto(second, loop)));
    stream.push(number(3), codeInto(third, loop));
    signal.emit(asio::cancellation_type::terminal);
    Taken taken;
    stream.next(taken.on(loop));
    stream.next(taken.on(loop));
    fake.advance(10ms);
    BOOST_TEST(taken.numbers == (std::vector<int>{1, 3}), boost::test_tools::per_element());
    BOOST_CHECK(second.at(0) == asio::error::operation_aborted);
    BOOST_TEST(third.at(0) == std::error_code{});
}

BOOST_AUTO_TEST_CASE(closing_ends_who_waits_after_what_is_on_its_way) {
    asio::io_context loop;
    FakeDevice fake(loop);
    Stream<float> stream(loop.get_executor(), {.inFlight = 1, .policy = StreamPolicy::everyOne});
    Taken taken;
    std::vector<std::error_code> pushed;
    stream.next(taken.on(loop));
    stream.next(taken.on(loop));
    stream.push(number(1), codeInto(pushed, loop));
    stream.push(number(2), codeInto(pushed, loop));
    stream.close();
    BOOST_TEST(!stream.offer(number(3)));
    fake.advance(10ms);
    BOOST_TEST(taken.numbers == (std::vector<int>{1, 0}), boost::test_tools::per_element());
    BOOST_TEST_REQUIRE(pushed.size() == 2U);
    BOOST_TEST(pushed[1] == stile::errc::stream_closed);
    stream.next(taken.on(loop));
    fake.run();
    BOOST_TEST(taken.numbers.back() == 0);
}

BOOST_AUTO_TEST_CASE(a_failed_download_is_one_error_and_the_stream_goes_on) {
    asio::io_context loop;
    FakeDevice fake(loop, {.failingCalls = {{"glDispatchCompute", {2}}}});
    Stream<float> stream(loop.get_executor(), {.inFlight = 1, .policy = StreamPolicy::everyOne});
    Taken taken;
    for (int i = 1; i <= 3; ++i) {
        stream.offer(number(i));
        stream.next(taken.on(loop));
        fake.advance(10ms);
    }
    BOOST_TEST(taken.numbers == (std::vector<int>{1, 3}), boost::test_tools::per_element());
    BOOST_TEST_REQUIRE(taken.errors.size() == 1U);
    BOOST_TEST(taken.errors[0] == stile::errc::out_of_memory);
}

BOOST_AUTO_TEST_CASE(a_destroyed_stream_ends_its_waiters_and_holds_nothing) {
    asio::io_context loop;
    FakeDevice fake(loop);
    Taken taken;
    {
        Stream<float> stream(loop.get_executor());
        fake.context().hold();
        stream.offer(number(1));
        stream.next(taken.on(loop));
        fake.advance(5ms);
    }
    fake.advance(1ms);
    BOOST_TEST(taken.numbers == (std::vector<int>{0}), boost::test_tools::per_element());
    fake.context().release();
    fake.advance(10ms);
    BOOST_TEST(fake.device().memory().tensors == 0);
}

BOOST_AUTO_TEST_CASE(values_on_the_host_need_no_device) {
    asio::io_context loop;
    Stream<float> stream(loop.get_executor(), {.inFlight = 4, .policy = StreamPolicy::everyOne});
    Taken taken;
    for (int i = 1; i <= 4; ++i) BOOST_TEST(stream.offer(stile::tensor(Floats{static_cast<float>(i)})));
    for (int i = 0; i < 4; ++i) stream.next(taken.on(loop));
    loop.run();
    BOOST_TEST(taken.numbers == (std::vector<int>{1, 2, 3, 4}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(producers_and_consumers_on_many_threads_lose_nothing) {
    asio::io_context loop;
    const auto context = std::make_shared<stile::testing::ScriptedContext>();
    stile::Device device = stile::Device::open({.context = context, .diskCache = false});
    Stream<float> stream(loop.get_executor(), {.inFlight = 4, .policy = StreamPolicy::everyOne});
    constexpr int each = 100, producers = 3;
    std::vector<int> seen;
    asio::co_spawn(loop, takeAll(stream, seen), asio::detached);
    std::vector<std::thread> threads;
    for (int p = 0; p < producers; ++p) {
        threads.emplace_back([&stream, p] {
            for (int i = 0; i < each; ++i) stream.push(number(p * each + i + 1), asio::use_future).get();
        });
    }
    std::thread closing([&] {
        for (std::thread& thread : threads) thread.join();
        stream.close();
    });
    loop.run();
    closing.join();
    BOOST_TEST_REQUIRE(seen.size() == static_cast<std::size_t>(each * producers + 1));
    BOOST_TEST(seen.back() == 0);
    std::ranges::sort(seen);
    for (int i = 0; i <= each * producers; ++i) BOOST_TEST(seen[static_cast<std::size_t>(i)] == i);
}

BOOST_AUTO_TEST_CASE(a_stream_outlives_its_loop) {
    const auto context = std::make_shared<stile::testing::ScriptedContext>();
    stile::Device device = stile::Device::open({.context = context, .diskCache = false});
    std::optional<asio::io_context> loop(std::in_place);
    Stream<float> stream(loop->get_executor(), {.inFlight = 1});
    context->hold();
    stream.offer(number(1));
    loop->poll();
    stream.offer(number(2));  // waits for the first
    while (device.stats().fencesInFlight == 0) std::this_thread::sleep_for(100us);
    loop.reset();
    context->release();
    while (stream.stats().inFlight > 0) std::this_thread::sleep_for(100us);
    stream.next(asio::use_future).get();
    BOOST_TEST(stream.stats().delivered == 1U);
}

BOOST_AUTO_TEST_CASE(cancelled_waiters_leave_nothing_behind) {
    asio::io_context loop;
    FakeDevice fake(loop);
    Stream<float> stream(loop.get_executor(), {.inFlight = 1, .policy = StreamPolicy::everyOne});
    std::vector<std::error_code> pushed;
    stream.push(number(0), codeInto(pushed, loop));
    fake.advance(1ms);
    for (int i = 1; i <= 100; ++i) {
        asio::cancellation_signal signal;
        stream.push(number(i), asio::bind_cancellation_slot(signal.slot(), codeInto(pushed, loop)));
        signal.emit(asio::cancellation_type::terminal);
        fake.advance(1ms);
    }
    // The one that is there, and at most the one that was cancelled last.
    BOOST_TEST(fake.device().memory().tensors + fake.device().memory().recorded <= 2);
}
