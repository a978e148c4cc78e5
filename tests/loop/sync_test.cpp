#define BOOST_TEST_MODULE sync
#include <boost/test/unit_test.hpp>

#include <asio.hpp>

#include <algorithm>
#include <mutex>
#include <regex>
#include <source_location>
#include <string>
#include <thread>
#include <vector>

#include <stile/stile.hpp>

#include "rig.hpp"

using namespace std::chrono_literals;
using stile::Tensor;
using test::Rig;
using Floats = std::vector<float>;

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

}  // namespace

BOOST_AUTO_TEST_CASE(the_sync_twins_give_the_same_values) {
    Rig rig;
    const stile::SyncScope quiet(stile::SyncPolicy::allow);
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
    const stile::SyncScope quiet(stile::SyncPolicy::allow);
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
        const stile::SyncScope quiet(stile::SyncPolicy::allow);
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
        const stile::SyncScope allowed(stile::SyncPolicy::allow);
        BOOST_TEST(roots().dataSync() == (Floats{1, 2, 3, 4}));
    }
    Rig rig({.sync = stile::SyncPolicy::allow});
    const Log log;
    (void)roots().dataSync();
    BOOST_TEST(log.warnings().empty());
}

BOOST_AUTO_TEST_CASE(scopes_nest_and_belong_to_their_thread) {
    Rig rig({.sync = stile::SyncPolicy::allow});
    const stile::SyncScope outer(stile::SyncPolicy::error);
    {
        const stile::SyncScope inner(stile::SyncPolicy::allow);
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
    const stile::SyncScope forbidden(stile::SyncPolicy::error);
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
