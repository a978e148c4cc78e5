#define BOOST_TEST_MODULE download
#include <boost/test/unit_test.hpp>

#include <pthread.h>

#include <asio.hpp>
#include <asio/experimental/awaitable_operators.hpp>

#include <atomic>
#include <future>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <stile/detail/asio_compat.hpp>
#include <stile/stile.hpp>

#include "rig.hpp"

using namespace std::chrono_literals;
using stile::Tensor;
using test::Rig;
using Floats = std::vector<float>;

namespace {

Tensor roots() { return stile::sqrt(stile::tensor({{1, 4}, {9, 16}})); }
const Floats expected{1, 2, 3, 4};

/// What a handler saw.
struct Seen {
    std::atomic<int> calls{0};
    std::exception_ptr error;
    Floats values;
    std::thread::id thread;

    auto handler() {
        return [this](std::exception_ptr e, Floats v) {
            error = e;
            values = std::move(v);
            thread = std::this_thread::get_id();
            ++calls;
        };
    }
};

}  // namespace

// Promise 1.

BOOST_AUTO_TEST_CASE(an_operation_is_recorded_without_running_anything) {
    Rig rig;
    const auto before = rig.device->stats();
    const Tensor y = roots() + 1.0F;
    std::this_thread::sleep_for(20ms);
    BOOST_TEST(rig.device->stats().dispatches == before.dispatches);
    BOOST_TEST(rig.device->memory().recorded == 2);
}

// Promise 3: completion tokens.

BOOST_AUTO_TEST_CASE(use_awaitable_gives_the_values) {
    Rig rig;
    BOOST_TEST(rig.get(roots().data()) == expected);
    BOOST_TEST(rig.get(roots().data(asio::use_awaitable)) == expected);
    const stile::NdArray<float> array = rig.get(roots().array());
    BOOST_CHECK(array.shape() == stile::Shape(2, 2));
    BOOST_TEST(array.at(1, 0) == 3.0F);
}

BOOST_AUTO_TEST_CASE(a_callback_is_called_once_on_its_executor_and_not_inline) {
    Rig rig;
    Seen seen;
    roots().data(asio::bind_executor(rig.loop->get_executor(), seen.handler()));
    BOOST_TEST(seen.calls == 0);
    rig.until([&] { return seen.calls > 0; });
    rig.loop->restart();
    rig.loop->run_for(20ms);
    BOOST_TEST(seen.calls == 1);
    BOOST_TEST(seen.values == expected);
    BOOST_CHECK(seen.thread == std::this_thread::get_id());
}

BOOST_AUTO_TEST_CASE(use_future_waits_on_another_thread) {
    Rig rig;
    std::future<Floats> values = roots().data(asio::use_future);
    rig.until([&] { return values.wait_for(0s) == std::future_status::ready; });
    BOOST_TEST(values.get() == expected);
}

BOOST_AUTO_TEST_CASE(use_future_throws_the_error) {
    Rig rig;
    const Tensor y = roots();
    rig.device->close();
    std::future<Floats> values = y.data(asio::use_future);
    BOOST_CHECK_EXCEPTION(values.get(), stile::Error, [](const auto& e) { return e.code() == stile::errc::device_closed; });
}

BOOST_AUTO_TEST_CASE(use_future_with_a_deadline_throws_timed_out) {
    if (Rig::attached()) return;
    Rig rig;
    std::future<Floats> values = test::job(40).data({.deadline = 5ms}, asio::use_future);
    BOOST_CHECK_EXCEPTION(values.get(), stile::Error, [](const auto& e) { return e.code() == stile::errc::timed_out; });
}

BOOST_AUTO_TEST_CASE(deferred_starts_when_it_is_called) {
    Rig rig;
    auto operation = roots().data(stile::compat::deferred);
    std::this_thread::sleep_for(10ms);
    BOOST_TEST(rig.device->stats().copies == 0);
    Seen seen;
    std::move(operation)(asio::bind_executor(rig.loop->get_executor(), seen.handler()));
    rig.until([&] { return seen.calls > 0; });
    BOOST_TEST(seen.values == expected);
}

BOOST_AUTO_TEST_CASE(as_tuple_gives_the_error_instead_of_throwing) {
    Rig rig;
    const auto both = [](Tensor y, stile::Device& device) -> asio::awaitable<void> {
        auto [none, values] = co_await y.data(stile::compat::as_tuple(asio::use_awaitable));
        BOOST_TEST(!none);
        BOOST_TEST(values == expected);
        const Tensor z = y + 1.0F;
        device.close();
        auto [error, nothing] = co_await z.data(stile::compat::as_tuple(asio::use_awaitable));
        BOOST_TEST(test::codeOf(error) == make_error_code(stile::errc::device_closed));
        BOOST_TEST(nothing.empty());
    };
    rig.get(both(roots(), *rig.device));
}

BOOST_AUTO_TEST_CASE(detached_runs_the_work) {
    Rig rig;
    const Tensor y = roots();
    y.data(asio::detached);
    rig.until([&] { return rig.device->stats().copies == 1 && rig.device->stats().fencesInFlight == 0; });
    BOOST_TEST(rig.device->memory().recorded == 0);
}

BOOST_AUTO_TEST_CASE(downloads_join_with_awaitable_operators) {
    Rig rig;
    using namespace asio::experimental::awaitable_operators;
    const auto both = [](Tensor a, Tensor b) -> asio::awaitable<void> {
        auto [x, y] = co_await (a.data() && b.data());
        BOOST_TEST(x == expected);
        BOOST_TEST(y == (Floats{2, 3, 4, 5}));
        asio::steady_timer timer(co_await asio::this_coro::executor, 1min);
        const auto first = co_await (a.data() || timer.async_wait(asio::use_awaitable));
        BOOST_TEST(first.index() == 0U);
    };
    const Tensor a = roots();
    rig.get(both(a, a + 1.0F));
}

BOOST_AUTO_TEST_CASE(a_timer_may_win_against_a_download) {
    if (Rig::attached()) return;  // there the loop stands still while a software driver works
    Rig rig;
    using namespace asio::experimental::awaitable_operators;
    const auto race = [](Tensor y) -> asio::awaitable<std::size_t> {
        asio::steady_timer timer(co_await asio::this_coro::executor, 1ms);
        const auto first = co_await (y.data() || timer.async_wait(asio::use_awaitable));
        co_return first.index();
    };
    BOOST_TEST(rig.get(race(test::job(60))) == 1U);
}

BOOST_AUTO_TEST_CASE(several_tensors_come_behind_one_fence) {
    Rig rig;
    const Tensor a = roots(), b = a > 2.0F;
    const std::int64_t before = rig.device->stats().fences;
    const auto [x, y] = rig.get(stile::data<float, bool>(a, b));
    BOOST_TEST(x == expected);
    BOOST_CHECK(y == std::vector<bool>({false, false, true, true}));
    BOOST_TEST(rig.device->stats().fences - before == 1);
}

BOOST_AUTO_TEST_CASE(eval_and_idle_complete_without_copies) {
    Rig rig;
    const Tensor y = roots();
    rig.get(stile::eval(y));
    BOOST_TEST(rig.device->memory().recorded == 0);
    rig.get(rig.device->idle());
    rig.get(stile::eval(std::vector<Tensor>{}));
    BOOST_TEST(rig.device->stats().copies == 0);
}

// Promise 3: executors.

BOOST_AUTO_TEST_CASE(a_handler_without_an_executor_runs_on_the_system_executor) {
    Rig rig;
    Seen seen;
    std::string name(16, '\0');
    roots().data([&](std::exception_ptr, Floats values) {
        pthread_getname_np(pthread_self(), name.data(), name.size());
        seen.values = std::move(values);
        seen.thread = std::this_thread::get_id();
        ++seen.calls;
    });
    rig.until([&] { return seen.calls > 0; });
    BOOST_TEST(seen.values == expected);
    BOOST_CHECK(seen.thread != std::this_thread::get_id());
    BOOST_TEST(name.c_str() != std::string("stile-gl"));
}

BOOST_AUTO_TEST_CASE(a_strand_of_a_thread_pool_is_kept) {
    Rig rig;
    asio::thread_pool pool(3);
    const auto strand = asio::make_strand(pool);
    // Boost's checks may be made on one thread only.
    std::atomic<int> calls{0}, inside{0}, failed{0}, together{0}, elsewhere{0}, wrong{0};
    for (int i = 0; i < 50; ++i) {
        (roots() + static_cast<float>(i)).data(asio::bind_executor(strand, [&, i](std::exception_ptr error, Floats values) {
            if (error) ++failed;
            if (inside.fetch_add(1) != 0) ++together;
            if (!strand.running_in_this_thread()) ++elsewhere;
            if (values.empty() || values[0] != 1.0F + static_cast<float>(i)) ++wrong;
            --inside;
            ++calls;
        }));
    }
    rig.until([&] { return calls == 50; });
    BOOST_TEST(failed == 0);
    BOOST_TEST(together == 0);
    BOOST_TEST(elsewhere == 0);
    BOOST_TEST(wrong == 0);
    pool.join();
}

BOOST_AUTO_TEST_CASE(a_pending_download_keeps_its_loop_running) {
    if (Rig::attached()) return;  // there the device's own functions run on the loop too
    Rig rig;
    Seen seen;
    test::job(5).data(asio::bind_executor(rig.loop->get_executor(), seen.handler()));
    rig.loop->run();  // returns when there is no work left
    BOOST_TEST(seen.calls == 1);
}

BOOST_AUTO_TEST_CASE(values_on_the_cpu_complete_without_gl_and_not_inline) {
    Rig rig;
    const std::int64_t fences = rig.device->stats().fences;
    Seen seen;
    stile::tensor(Floats{5, 6}).data(asio::bind_executor(rig.loop->get_executor(), seen.handler()));
    BOOST_TEST(seen.calls == 0);
    rig.until([&] { return seen.calls > 0; });
    BOOST_TEST(seen.values == (Floats{5, 6}));
    BOOST_TEST(rig.get(stile::zeros({0, 3}).data()).empty());
    BOOST_TEST(rig.device->stats().fences == fences);
}

// Promises 5 and 6.

BOOST_AUTO_TEST_CASE(a_result_is_owned_and_may_be_changed) {
    Rig rig;
    const Tensor y = roots();
    Floats first = rig.get(y.data());
    first[0] = 99;
    BOOST_TEST(rig.get(y.data()) == expected);
    const Tensor host = stile::tensor(Floats{1});
    Floats copy = rig.get(host.data());
    copy[0] = 7;
    BOOST_TEST(rig.get(host.data()) == Floats{1});
}

BOOST_AUTO_TEST_CASE(downloads_of_one_turn_share_a_fence_and_a_copy_of_one_tensor) {
    Rig rig;
    const auto before = rig.device->stats();
    const Tensor a = roots(), b = a + 1.0F;
    std::vector<Seen> seen(20);
    asio::post(*rig.loop, [&] {
        for (std::size_t i = 0; i < seen.size(); ++i) {
            (i % 2 ? a : b).data(asio::bind_executor(rig.loop->get_executor(), seen[i].handler()));
        }
    });
    rig.until([&] { return std::ranges::all_of(seen, [](const Seen& s) { return s.calls == 1; }); });
    BOOST_TEST(seen[1].values == expected);
    BOOST_TEST(seen[18].values == (Floats{2, 3, 4, 5}));
    const auto after = rig.device->stats();
    BOOST_TEST(after.fences - before.fences == 1);
    BOOST_TEST(after.copies - before.copies == 2);
    BOOST_TEST(after.submissions - before.submissions == 1);
}

// Promise 7.

BOOST_AUTO_TEST_CASE(at_the_limits_downloads_wait_their_turn) {
    Rig rig({.maxFences = 2, .stagingBytes = 4096});
    std::vector<Seen> seen(40);
    std::int64_t most = 0;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        const Tensor y = stile::fill({700}, static_cast<double>(i)) + 1.0F;
        y.data(asio::bind_executor(rig.loop->get_executor(), seen[i].handler()));
        rig.device->flush();
    }
    rig.until([&] {
        most = std::max(most, rig.device->stats().fencesInFlight);
        return std::ranges::all_of(seen, [](const Seen& s) { return s.calls == 1; });
    });
    for (std::size_t i = 0; i < seen.size(); ++i) BOOST_TEST(seen[i].values == Floats(700, static_cast<float>(i) + 1.0F));
    BOOST_TEST(most <= 2);
    BOOST_TEST(rig.device->memory().staging <= 2U * 4096U);
}

BOOST_AUTO_TEST_CASE(a_download_larger_than_the_staging_limit_is_served_alone) {
    Rig rig({.stagingBytes = 4096});
    BOOST_TEST(rig.get((stile::ones({5000}) + 1.0F).data()) == Floats(5000, 2.0F));
}

BOOST_AUTO_TEST_CASE(a_dropped_tensor_still_delivers_its_values) {
    Rig rig;
    Seen seen;
    {
        const Tensor y = roots();
        y.data(asio::bind_executor(rig.loop->get_executor(), seen.handler()));
    }
    rig.until([&] { return seen.calls > 0; });
    BOOST_TEST(seen.values == expected);
    rig.get(rig.device->idle());
    BOOST_TEST(rig.device->memory().tensors == 0);
}

BOOST_AUTO_TEST_CASE(another_dtype_than_the_tensors_throws_at_the_call) {
    Rig rig;
    const Tensor y = roots();
    BOOST_CHECK_EXCEPTION((void)y.data<std::int32_t>(), stile::Error, [](const auto& e) {
        return e.code() == stile::errc::wrong_dtype && std::string(e.what()).find("float32") != std::string::npos;
    });
    BOOST_CHECK_THROW((void)y.array<bool>(), stile::Error);
    BOOST_CHECK_THROW((void)y.dataSync<bool>(), stile::Error);
    BOOST_CHECK_THROW((void)(stile::data<float, float>(y, y > 1.0F)), stile::Error);
}

BOOST_AUTO_TEST_CASE(a_move_only_handler_is_enough) {
    Rig rig;
    bool called = false;
    roots().data(asio::bind_executor(
        rig.loop->get_executor(), [&, only = std::make_unique<int>(3)](std::exception_ptr, Floats) { called = *only == 3; }));
    rig.until([&] { return called; });
}

BOOST_AUTO_TEST_CASE(tensors_are_used_from_several_threads_at_once) {
    if (Rig::attached()) return;
    Rig rig;
    const Tensor shared = roots();
    std::vector<std::thread> threads;
    std::atomic<int> right{0};
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
            asio::io_context own;
            for (int i = 0; i < 50; ++i) {
                const Tensor y = shared * static_cast<float>(t) + static_cast<float>(i);
                y.data(asio::bind_executor(own.get_executor(), [&, t, i](std::exception_ptr, Floats v) {
                    right += v.size() == 4 && v[3] == 4.0F * static_cast<float>(t) + static_cast<float>(i);
                }));
            }
            own.run();
        });
    }
    for (std::thread& thread : threads) thread.join();
    BOOST_TEST(right == 200);
}
