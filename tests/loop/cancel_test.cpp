#define BOOST_TEST_MODULE cancel
#include <boost/test/unit_test.hpp>

#include <asio.hpp>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <stile/detail/asio_compat.hpp>
#include <stile/stile.hpp>

#include "rig.hpp"
#include "slowness.hpp"

using namespace std::chrono_literals;
using stile::Tensor;
using test::aborted;
using test::codeOf;
using test::Rig;
using Floats = std::vector<float>;

namespace {

struct Seen {
    int calls = 0;
    std::exception_ptr error;
    Floats values;

    auto handler(asio::io_context& loop) {
        return asio::bind_executor(loop.get_executor(), [this](std::exception_ptr e, Floats v) {
            error = e;
            values = std::move(v);
            ++calls;
        });
    }
    /// A handler on the loop that listens to a signal.
    auto handler(asio::io_context& loop, asio::cancellation_signal& signal) {
        return asio::bind_cancellation_slot(signal.slot(), handler(loop));
    }
};

Tensor roots() { return stile::sqrt(stile::tensor({{1, 4}, {9, 16}})); }

/// A coroutine's local that tells when the frame is destroyed.
struct Local {
    int* alive;
    explicit Local(int& count) : alive(&count) { ++count; }
    ~Local() { --*alive; }
    Local(const Local&) = delete;
    Local& operator=(const Local&) = delete;
};

asio::awaitable<void> downloads(Tensor y, int& alive, int& finished) {
    const Local local(alive);
    (void)co_await y.data();
    ++finished;
}

void stagingIsFree(Rig& rig) {
    rig.get(rig.device->idle());
    BOOST_TEST(rig.device->stats().fencesInFlight == 0);
    BOOST_TEST(rig.device->stats().requestsWaiting == 0);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_recorded_download_is_cancelled_by_each_type_and_its_work_left_out) {
    Rig rig;
    for (const auto type :
         {asio::cancellation_type::terminal, asio::cancellation_type::partial, asio::cancellation_type::total}) {
        const auto before = rig.device->stats();
        asio::cancellation_signal signal;
        Seen seen;
        const Tensor y = roots();
        y.data(seen.handler(*rig.loop, signal));
        signal.emit(type);
        BOOST_TEST(seen.calls == 0);
        rig.until([&] { return seen.calls > 0; });
        BOOST_TEST(codeOf(seen.error) == aborted);
        BOOST_TEST(seen.values.empty());
        stagingIsFree(rig);
        BOOST_TEST(rig.device->stats().copies == before.copies);
        BOOST_TEST(rig.device->stats().dispatches == before.dispatches);
    }
}

BOOST_AUTO_TEST_CASE(a_pending_download_is_cancelled_and_the_work_goes_on) {
    if (Rig::attached()) return;  // there nothing is ever pending on a driver that works inside its calls
    Rig rig;
    asio::cancellation_signal signal;
    Seen seen;
    const Tensor y = test::job(40);
    y.data(seen.handler(*rig.loop, signal));
    rig.device->flush();
    rig.until([&] { return rig.device->stats().submissions > 0; });
    const auto start = std::chrono::steady_clock::now();
    signal.emit(asio::cancellation_type::terminal);
    rig.until([&] { return seen.calls > 0; });
    BOOST_CHECK(std::chrono::steady_clock::now() - start < 50ms * test::slowness);
    BOOST_TEST(codeOf(seen.error) == aborted);
    stagingIsFree(rig);
    BOOST_TEST(seen.calls == 1);
    BOOST_TEST(rig.get(y.data())[0] == 1.0F);
}

BOOST_AUTO_TEST_CASE(cancelling_a_completed_download_changes_nothing) {
    Rig rig;
    asio::cancellation_signal signal;
    Seen seen;
    roots().data(seen.handler(*rig.loop, signal));
    rig.until([&] { return seen.calls > 0; });
    BOOST_TEST(!signal.slot().has_handler());
    signal.emit(asio::cancellation_type::terminal);
    BOOST_TEST(seen.calls == 1);
    BOOST_TEST(!seen.error);
}

BOOST_AUTO_TEST_CASE(one_of_two_waiters_is_cancelled_and_the_other_gets_the_values) {
    Rig rig;
    asio::cancellation_signal signal;
    Seen cancelled, other;
    const Tensor y = roots();
    y.data(cancelled.handler(*rig.loop, signal));
    y.data(other.handler(*rig.loop));
    signal.emit(asio::cancellation_type::total);
    rig.until([&] { return cancelled.calls > 0 && other.calls > 0; });
    BOOST_TEST(codeOf(cancelled.error) == aborted);
    BOOST_TEST(other.values == (Floats{1, 2, 3, 4}));
}

BOOST_AUTO_TEST_CASE(a_coroutine_cancelled_before_it_asks_never_starts_the_download) {
    Rig rig;
    asio::cancellation_signal signal;
    const auto late = [](Tensor y) -> asio::awaitable<void> {
        asio::steady_timer timer(co_await asio::this_coro::executor, 5ms);
        co_await timer.async_wait(stile::compat::as_tuple(asio::use_awaitable));  // here it is cancelled
        (void)co_await y.data();
    };
    std::exception_ptr error;
    bool done = false;
    asio::co_spawn(*rig.loop, late(roots()), asio::bind_cancellation_slot(signal.slot(), [&](std::exception_ptr e) {
        error = e;
        done = true;
    }));
    asio::post(*rig.loop, [&] { signal.emit(asio::cancellation_type::terminal); });
    rig.until([&] { return done; });
    BOOST_TEST(codeOf(error) == aborted);
    BOOST_TEST(rig.device->stats().copies == 0);
}

BOOST_AUTO_TEST_CASE(print_honours_total_cancellation) {
    Rig rig;
    asio::cancellation_signal signal;
    std::exception_ptr error;
    bool done = false;
    roots().print(
        asio::bind_cancellation_slot(signal.slot(), asio::bind_executor(rig.loop->get_executor(), [&](std::exception_ptr e) {
                                         error = e;
                                         done = true;
                                     })));
    signal.emit(asio::cancellation_type::total);
    rig.until([&] { return done; });
    BOOST_TEST(codeOf(error) == aborted);
}

// Deadlines.

BOOST_AUTO_TEST_CASE(a_calls_own_deadline_completes_it_and_the_work_goes_on) {
    if (Rig::attached()) return;
    Rig rig;
    const Tensor y = test::job(40);
    try {
        (void)rig.get(y.data({.deadline = 5ms}));
        BOOST_ERROR("no error");
    } catch (const stile::Error& e) {
        BOOST_CHECK(e.code() == stile::errc::timed_out);
    }
    BOOST_TEST(rig.get(y.data({.deadline = 1min}))[0] == 1.0F);
}

BOOST_AUTO_TEST_CASE(the_devices_deadline_names_what_it_waited_for) {
    if (Rig::attached()) return;
    Rig rig({.deadline = 1ms});
    if (!rig.device->driver().renderer.starts_with("zink")) return;  // elsewhere a fence is never pending for long
    const Tensor y = test::job(8);
    try {
        (void)rig.get(y.data());
        BOOST_ERROR("no error");
    } catch (const stile::Error& e) {
        BOOST_CHECK(e.code() == stile::errc::timed_out);
        BOOST_TEST(std::string(e.what()).find("max") != std::string::npos);
    }
    rig.until([&] { return rig.device->stats().fencesInFlight == 0; });
}

// Promise 4: what ends first.

BOOST_AUTO_TEST_CASE(a_closed_device_completes_everything_with_device_closed) {
    Rig rig;
    std::vector<Seen> submitted(5), recorded(5);
    const Tensor y = test::job(10);
    for (Seen& s : submitted) (y + 1.0F).data(s.handler(*rig.loop));
    rig.loop->poll();  // the end of the turn submits them; nothing submits the next ones, whose turn does not end
    rig.until([&] { return rig.device->stats().requestsWaiting == 0; });
    for (Seen& s : recorded) (y + 2.0F).data(s.handler(*rig.loop));
    rig.device->close();
    const auto settled = [](const Seen& s) { return s.calls > 0; };
    rig.until([&] { return std::ranges::all_of(submitted, settled) && std::ranges::all_of(recorded, settled); });
    for (const Seen& s : submitted) {
        BOOST_TEST(s.calls == 1);
        // What was done before the device got to closing has its values.
        if (s.error) BOOST_TEST(codeOf(s.error) == make_error_code(stile::errc::device_closed));
        BOOST_TEST((s.error != nullptr) == s.values.empty());
    }
    for (const Seen& s : recorded) {
        BOOST_TEST(s.calls == 1);
        BOOST_TEST(codeOf(s.error) == make_error_code(stile::errc::device_closed));
    }
    Seen after;
    y.data(after.handler(*rig.loop));
    rig.until([&] { return after.calls > 0; });
    BOOST_TEST(codeOf(after.error) == make_error_code(stile::errc::device_closed));
}

BOOST_AUTO_TEST_CASE(a_loop_that_dies_first_destroys_its_coroutines_without_running_them) {
    Rig rig;
    int alive = 0, finished = 0;
    {
        asio::io_context own;
        const Tensor y = test::job(10);
        for (int i = 0; i < 5; ++i) asio::co_spawn(own, downloads(y + static_cast<float>(i), alive, finished), asio::detached);
        own.poll();
        BOOST_TEST(alive == 5);
        BOOST_TEST(finished == 0);
    }
    BOOST_TEST(alive == 0);
    rig.get(rig.device->idle());
    BOOST_TEST(finished == 0);
    stagingIsFree(rig);
}

BOOST_AUTO_TEST_CASE(a_loop_may_die_with_completions_posted_to_it) {
    Rig rig;
    int alive = 0, finished = 0;
    {
        asio::io_context own;
        asio::co_spawn(own, downloads(roots(), alive, finished), asio::detached);
        own.poll();
        rig.until([&] { return rig.device->stats().copies == 1 && rig.device->stats().fencesInFlight == 0; });
    }
    BOOST_TEST(alive == 0);
    BOOST_TEST(finished == 0);
}

BOOST_AUTO_TEST_CASE(a_device_may_die_before_or_after_the_loop_with_work_pending) {
    for (const bool deviceFirst : {true, false}) {
        Rig rig;
        int alive = 0, finished = 0;
        asio::co_spawn(*rig.loop, downloads(test::job(5), alive, finished), asio::detached);
        rig.loop->poll();
        rig.device->flush();
        if (deviceFirst) {
            rig.device->close();
            rig.loop.reset();
        } else {
            rig.loop.reset();
            rig.device->close();
        }
        BOOST_TEST(alive == 0);
    }
}

BOOST_AUTO_TEST_CASE(a_coroutine_that_owns_its_device_dies_with_the_loop) {
    if (Rig::attached()) return;
    int alive = 0;
    const auto owner = [](int& count) -> asio::awaitable<void> {
        const Local local(count);
        const stile::Device device = stile::Device::open();
        const Tensor y = test::job(20).on(device);
        (void)co_await y.data();
    };
    {
        asio::io_context loop;
        asio::co_spawn(loop, owner(alive), asio::detached);
        loop.poll();
        BOOST_TEST(alive == 1);
    }
    BOOST_TEST(alive == 0);
}

BOOST_AUTO_TEST_CASE(a_tensor_may_outlive_device_and_loop) {
    Tensor y;
    {
        Rig rig;
        y = roots();
        BOOST_TEST(rig.get(y.data()) == (Floats{1, 2, 3, 4}));
    }
    asio::io_context loop;
    Seen seen;
    y.data(seen.handler(loop));
    loop.run();
    BOOST_TEST(codeOf(seen.error) == make_error_code(stile::errc::device_closed));
}
