#define BOOST_TEST_MODULE sync
#include <boost/test/unit_test.hpp>

#include <asio.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <regex>
#include <source_location>
#include <string>
#include <thread>
#include <vector>

#include <stile/stile.hpp>
#include <stile/testing/no_blocking_reads.hpp>

#include "rig.hpp"

using namespace std::chrono_literals;
using stile::Tensor;
using test::Rig;
using Floats = std::vector<float>;
using stile::SyncPolicy;

namespace {

Tensor roots() { return stile::sqrt(stile::tensor({{1, 4}, {9, 16}})); }

/// Collects what is logged while it lives.
class Log {
  public:
    Log() {
        stile::setLogSink([this](stile::LogLevel level, std::string_view text) {
            const std::lock_guard lock(mutex_);
            if (level == stile::LogLevel::warning) warnings_.emplace_back(text);
        });
    }
    ~Log() { stile::setLogSink({}); }
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;

    [[nodiscard]] std::vector<std::string> warnings() const {
        const std::lock_guard lock(mutex_);
        return warnings_;
    }

  private:
    mutable std::mutex mutex_;
    std::vector<std::string> warnings_;
};

auto hasCode(stile::errc code) {
    return [code](const stile::Error& e) { return e.code() == code; };
}

/// Whether a blocking download works here.
bool mayBlock() {
    try {
        (void)roots().dataSync();
        return true;
    } catch (const stile::Error& e) {
        BOOST_TEST(e.code() == make_error_code(stile::errc::sync_forbidden));
        return false;
    }
}

/// What the environment variable asks for while it lives.
class Environment {
  public:
    explicit Environment(const char* policy) { setenv("STILE_SYNC", policy, 1); }
    ~Environment() { unsetenv("STILE_SYNC"); }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;
};

}  // namespace

BOOST_AUTO_TEST_CASE(the_sync_twins_give_the_same_values) {
    Rig rig;
    const stile::SyncGuard quiet(stile::SyncPolicy::allow);
    const Tensor y = roots();
    BOOST_TEST(y.dataSync() == (Floats{1, 2, 3, 4}));
    const stile::NdArray<float> array = y.arraySync();
    BOOST_CHECK(array.shape() == stile::Shape(2, 2));
    BOOST_TEST(array.at(1, 1) == 4.0F);
    BOOST_CHECK((y > 2.0F).dataSync<bool>() == std::vector<bool>({false, false, true, true}));
    BOOST_TEST(stile::zeros({0, 2}).dataSync().empty());
    BOOST_TEST((y + stile::tensor(Floats{1}, {1, 1})).dataSync() == (Floats{2, 3, 4, 5}));
}

BOOST_AUTO_TEST_CASE(a_sync_twin_works_on_the_thread_that_runs_the_loop) {
    Rig rig;
    const stile::SyncGuard quiet(stile::SyncPolicy::allow);
    Floats values;
    asio::post(*rig.loop, [&] { values = (roots() + 1.0F).dataSync(); });
    rig.until([&] { return !values.empty(); });
    BOOST_TEST(values == (Floats{2, 3, 4, 5}));
}

BOOST_AUTO_TEST_CASE(a_sync_twin_works_on_another_thread_while_the_loop_runs) {
    Rig rig;
    Floats values;
    std::atomic<bool> done{false};
    std::thread other([&] {
        const stile::SyncGuard quiet(stile::SyncPolicy::allow);
        values = roots().dataSync();
        done = true;
    });
    rig.until([&] { return done.load(); });
    other.join();
    BOOST_TEST(values == (Floats{1, 2, 3, 4}));
}

BOOST_AUTO_TEST_CASE(each_call_site_warns_once_with_its_place_and_the_time_that_it_blocked) {
    Rig rig;
    const Log log;
    unsigned line = 0;
    for (int i = 0; i < 3; ++i) {
        line = std::source_location::current().line() + 1;
        (void)roots().dataSync();
    }
    (void)roots().arraySync();
    const std::vector<std::string> warnings = log.warnings();
    BOOST_TEST_REQUIRE(warnings.size() == 2U);
    BOOST_TEST(warnings[0].find("sync_test.cpp:" + std::to_string(line) + ": dataSync blocked this thread for ") !=
               std::string::npos);
    BOOST_TEST(std::regex_search(warnings[0], std::regex("[0-9]+\\.[0-9] ms")));
    BOOST_TEST(warnings[0].find("co_await t.data()") != std::string::npos);
    BOOST_TEST(warnings[1].find("co_await t.array()") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(values_on_the_cpu_do_not_block_and_do_not_warn) {
    Rig rig;
    const Log log;
    BOOST_TEST(stile::tensor(Floats{1, 2}).dataSync() == (Floats{1, 2}));
    BOOST_TEST(log.warnings().empty());
}

BOOST_AUTO_TEST_CASE(a_devices_policy_forbids_or_allows) {
    {
        Rig rig({.sync = stile::SyncPolicy::error});
        BOOST_CHECK_EXCEPTION((void)roots().dataSync(), stile::Error, hasCode(stile::errc::sync_forbidden));
        BOOST_TEST(rig.device->stats().dispatches == 0);
        const stile::SyncGuard allowed(stile::SyncPolicy::allow);
        BOOST_TEST(roots().dataSync() == (Floats{1, 2, 3, 4}));
    }
    Rig rig({.sync = stile::SyncPolicy::allow});
    const Log log;
    (void)roots().dataSync();
    BOOST_TEST(log.warnings().empty());
}

BOOST_AUTO_TEST_CASE(scopes_nest_and_belong_to_their_thread) {
    Rig rig({.sync = stile::SyncPolicy::allow});
    const stile::SyncGuard outer(stile::SyncPolicy::error);
    {
        const stile::SyncGuard inner(stile::SyncPolicy::allow);
        (void)roots().dataSync();
    }
    BOOST_CHECK_EXCEPTION((void)roots().dataSync(), stile::Error, hasCode(stile::errc::sync_forbidden));
    std::atomic<bool> done{false};
    std::thread other([&] {
        (void)roots().dataSync();
        done = true;
    });
    rig.until([&] { return done.load(); });
    other.join();
}

BOOST_AUTO_TEST_CASE(the_error_names_the_call_site_and_the_tensor) {
    Rig rig;
    const stile::SyncGuard forbidden(stile::SyncPolicy::error);
    try {
        (void)roots().dataSync();
        BOOST_ERROR("no error");
    } catch (const stile::Error& e) {
        BOOST_TEST(std::string(e.what()).find("sync_test.cpp:") != std::string::npos);
        BOOST_TEST(std::string(e.what()).find("[2, 2]") != std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(a_sync_twin_on_the_devices_own_thread_is_an_error_and_not_a_deadlock) {
    Rig rig;
    const Tensor y = roots();
    std::vector<std::error_code> codes;
    std::mutex mutex;
    stile::setLogLevel(stile::LogLevel::debug);
    stile::setLogSink([&](stile::LogLevel, std::string_view) {
        std::error_code code;
        try {
            (void)y.dataSync();
        } catch (const stile::Error& e) {
            code = e.code();
        }
        const std::lock_guard lock(mutex);
        codes.push_back(code);
    });
    // Opening logs on the GL thread; a sync download that may warn logs on this one.
    {
        const stile::Device second = stile::Device::open();
    }
    (void)y.dataSync();
    stile::setLogSink({});
    stile::setLogLevel(stile::LogLevel::warning);
    BOOST_TEST_REQUIRE(codes.size() >= 2U);
    for (const std::error_code code : codes) BOOST_TEST(code == make_error_code(stile::errc::would_deadlock));
}

BOOST_AUTO_TEST_CASE(a_sync_twin_throws_what_the_awaited_twin_completes_with) {
    Rig rig;
    const Tensor y = roots();
    rig.device->close();
    BOOST_CHECK_EXCEPTION((void)y.dataSync(), stile::Error, hasCode(stile::errc::device_closed));
}

BOOST_AUTO_TEST_CASE(guards_may_end_in_any_order) {
    Rig rig({.sync = SyncPolicy::allow});
    std::optional<stile::SyncGuard> first(std::in_place, SyncPolicy::allow);
    std::optional<stile::SyncGuard> second(std::in_place, SyncPolicy::error);
    first.reset();
    BOOST_TEST(!mayBlock());
    second.reset();
    BOOST_TEST(mayBlock());
}

BOOST_AUTO_TEST_CASE(a_guard_that_ends_on_another_thread_ends_where_it_began) {
    Rig rig({.sync = SyncPolicy::allow});
    std::optional<stile::SyncGuard> guard(std::in_place, SyncPolicy::error);
    std::optional<stile::SyncGuard> outlives;
    std::thread other([&] {
        guard.reset();
        outlives.emplace(SyncPolicy::error);
    });
    other.join();
    BOOST_TEST(mayBlock());
    outlives.reset();  // its thread is gone
    BOOST_TEST(mayBlock());
}

namespace {

/// Maybe on many threads, where Boost's checks may not be made.
asio::awaitable<void> blockAndAwait(int times, bool& may, int& changed) {
    for (int i = 0; i < times; ++i) {
        may = mayBlock();
        const Tensor y = roots();
        (void)co_await y.data();
        asio::steady_timer timer(co_await asio::this_coro::executor, std::chrono::microseconds(100));
        co_await timer.async_wait(asio::use_awaitable);
        if (mayBlock() != may) ++changed;
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_guarded_executors_policy_follows_its_coroutine_across_awaits) {
    Rig rig({.sync = SyncPolicy::allow});
    bool strict = true, lax = false;
    int done = 0, changed = 0;
    const auto finish = [&](const std::exception_ptr& error) {
        BOOST_TEST(!error);
        ++done;
    };
    const auto executor = rig.loop->get_executor();
    asio::co_spawn(stile::guarded(executor, SyncPolicy::error), blockAndAwait(5, strict, changed), finish);
    asio::co_spawn(executor, blockAndAwait(5, lax, changed), finish);
    rig.until([&] { return done == 2; });
    BOOST_TEST(changed == 0);
    BOOST_TEST(!strict);
    BOOST_TEST(lax);
    BOOST_TEST(mayBlock());
}

BOOST_AUTO_TEST_CASE(a_guarded_executors_policy_follows_its_coroutine_across_threads) {
    Rig rig({.sync = SyncPolicy::allow});
    asio::thread_pool pool(3);
    bool strict = true, failed = false;
    int changed = 0;
    std::atomic<bool> done{false};
    const auto finish = [&](const std::exception_ptr& error) {
        failed = error != nullptr;
        done = true;
    };
    asio::co_spawn(stile::guarded(pool, SyncPolicy::error), blockAndAwait(20, strict, changed), finish);
    rig.until([&] { return done.load(); });
    pool.join();
    BOOST_TEST(!failed);
    BOOST_TEST(changed == 0);
    BOOST_TEST(!strict);
}

BOOST_AUTO_TEST_CASE(a_guarded_executor_is_an_executor_like_the_one_inside) {
    asio::io_context loop, another;
    const auto plain = loop.get_executor();
    const auto strict = stile::guarded(plain, SyncPolicy::error);
    static_assert(asio::execution::is_executor<std::remove_const_t<decltype(strict)>>::value);
    BOOST_TEST(&asio::query(strict, asio::execution::context) == &loop);
    BOOST_CHECK(strict == stile::guarded(loop, SyncPolicy::error));
    BOOST_CHECK(strict != stile::guarded(loop, SyncPolicy::allow));
    BOOST_CHECK(strict != stile::guarded(another, SyncPolicy::error));
    const asio::any_io_executor any = strict;
    BOOST_CHECK(any == asio::any_io_executor(stile::guarded(loop, SyncPolicy::error)));
    BOOST_CHECK(asio::query(asio::require(strict, asio::execution::blocking.never), asio::execution::blocking) ==
                asio::execution::blocking.never);
    // Posted work counts as the loop's, tracked work keeps it running, and a function may be move-only.
    int ran = 0;
    asio::post(strict, [&, owned = std::make_unique<int>(1)] { ran += *owned; });
    asio::dispatch(asio::make_strand(strict), [&] { ++ran; });
    {
        const auto tracked = asio::prefer(strict, asio::execution::outstanding_work.tracked);
        BOOST_TEST(loop.run_for(1ms) == 2U);
        BOOST_TEST(!loop.stopped());
    }
    BOOST_TEST(loop.run_for(1ms) == 0U);
    BOOST_TEST(loop.stopped());
    BOOST_TEST(ran == 2);
}

BOOST_AUTO_TEST_CASE(of_nested_guarded_executors_the_outer_one_counts) {
    Rig rig({.sync = SyncPolicy::allow});
    const auto inner = stile::guarded(rig.loop->get_executor(), SyncPolicy::error);
    std::vector<bool> may;
    asio::post(stile::guarded(inner, SyncPolicy::allow), [&] {
        may.push_back(mayBlock());
        // Runs inside, at once: its own policy, and then this one again.
        asio::dispatch(inner, [&] { may.push_back(mayBlock()); });
        may.push_back(mayBlock());
    });
    rig.until([&] { return may.size() == 3; });
    BOOST_CHECK(may == std::vector<bool>({true, false, true}));
}

BOOST_AUTO_TEST_CASE(downloads_of_one_turn_share_a_fence_across_guarded_executors) {
    Rig rig;
    int done = 0;
    const auto count = [&](const std::exception_ptr&, const Floats&) { ++done; };
    const auto fences = rig.device->stats().fences;
    const auto plain = rig.loop->get_executor();
    const auto strict = stile::guarded(plain, SyncPolicy::error);
    asio::post(plain, [&] {
        roots().data(asio::bind_executor(plain, count));
        roots().data(asio::bind_executor(strict, count));
        roots().data(asio::bind_executor(asio::any_io_executor(strict), count));
    });
    rig.until([&] { return done == 3; });
    BOOST_TEST(rig.device->stats().fences - fences == 1);
}

BOOST_AUTO_TEST_CASE(the_environment_overrules_guards_executors_and_devices) {
    {
        const Environment forced("error");
        Rig rig({.sync = SyncPolicy::allow});
        const stile::SyncGuard allowed(SyncPolicy::allow);
        BOOST_TEST(!mayBlock());
    }
    {
        const Environment forced("allow");
        Rig rig({.sync = SyncPolicy::error});
        const Log log;
        const stile::SyncGuard forbidden(SyncPolicy::error);
        BOOST_TEST(mayBlock());
        BOOST_TEST(log.warnings().empty());
    }
    const Environment wrong("never");
    const Log log;
    Rig rig({.sync = SyncPolicy::error});
    BOOST_TEST(!mayBlock());
    BOOST_TEST_REQUIRE(!log.warnings().empty());
    BOOST_TEST(log.warnings().front().find("STILE_SYNC is never") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_warning_tells_how_many_handlers_of_the_loop_were_ready_meanwhile) {
    Rig rig;
    const Log log;
    int done = 0;
    const auto count = [&](const std::exception_ptr&, const Floats&) { ++done; };
    // Which thread runs the loop shows when a first completion has run.
    roots().data(asio::bind_executor(*rig.loop, count));
    rig.until([&] { return done == 1; });
    asio::post(*rig.loop, [&] {
        for (int i = 0; i < 3; ++i) roots().data(asio::bind_executor(*rig.loop, count));
        rig.device->flush();
        (void)(roots() + 1.0F).dataSync();
    });
    rig.until([&] { return done == 4; });
    BOOST_TEST_REQUIRE(log.warnings().size() == 1U);
    BOOST_TEST(log.warnings().front().find(" ms; 3 downloads of its loop had completed meanwhile;") != std::string::npos);

    std::atomic<bool> over{false};
    std::thread stranger([&] {
        (void)(roots() + 1.0F).dataSync();
        over = true;
    });
    rig.until([&] { return over.load(); });
    stranger.join();
    BOOST_TEST_REQUIRE(log.warnings().size() == 2U);
    BOOST_TEST(log.warnings().back().find("ready") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(places_that_block_again_and_again_are_summed_up_at_exit) {
    const bool child = std::getenv("STILE_TEST_CHILD") != nullptr;
    if (child) {
        Rig rig;
        for (int i = 0; i < 3; ++i) (void)roots().dataSync();
        (void)roots().arraySync();
        const std::vector<stile::SyncSite> sites = stile::syncSites();
        BOOST_TEST_REQUIRE(sites.size() == 2U);
        const auto& data = sites[0].call == "dataSync" ? sites[0] : sites[1];
        BOOST_TEST(data.blocks == 3);
        BOOST_TEST(data.totalMs > 0.0);
        BOOST_TEST(sites[0].totalMs >= sites[1].totalMs);
        return;
    }
    const std::string program = boost::unit_test::framework::master_test_suite().argv[0];
    const std::string command =
        "STILE_TEST_CHILD=1 '" + program + "' --run_test=places_that_block_again_and_again_are_summed_up_at_exit 2>&1";
    std::string output;
    FILE* pipe = popen(command.c_str(), "r");
    BOOST_TEST_REQUIRE(pipe != nullptr);
    std::array<char, 256> line{};
    while (std::fgets(line.data(), static_cast<int>(line.size()), pipe)) output += line.data();
    BOOST_TEST(pclose(pipe) == 0);
    BOOST_TEST_MESSAGE(output);
    const std::regex summary(
        "blocking downloads, the longest total first:\\n(.*\\n)?.*sync_test.cpp:[0-9]+: dataSync blocked 3 times, "
        "[0-9]+\\.[0-9] ms in all\\n");
    BOOST_TEST(std::regex_search(output, summary));
    BOOST_TEST(output.find("arraySync blocked 1 time,") != std::string::npos);
}
