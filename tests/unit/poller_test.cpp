#define BOOST_TEST_MODULE poller
#include <boost/test/unit_test.hpp>

#include <memory>
#include <utility>
#include <vector>

#include "download/poller.hpp"
#include "fake_fences.hpp"
#include "manual_executor.hpp"

using namespace std::chrono_literals;
using stile::download::FenceEnd;
using stile::download::Poller;
using stile::gl::FenceState;

namespace {

struct Fixture {
    test::FakeFences fences;
    test::ManualExecutor executor;
    stile::gl::Counters counters;
    std::shared_ptr<Poller> poller;
    std::vector<std::pair<int, FenceEnd>> ended;

    explicit Fixture(std::chrono::nanoseconds deadline = 1h)
        : poller(std::make_shared<Poller>(fences, executor, deadline, counters)) {}

    void watch(int name, test::FakeFences::Script script) {
        fences.scripts.resize(fences.inserted + 1);
        fences.scripts[fences.inserted] = script;
        poller->watch(fences.insert(), [this, name](FenceEnd end) { ended.emplace_back(name, end); });
    }
    void runUntilIdle() {
        for (int i = 0; i < 100000 && executor.step(); ++i) {
        }
    }
};

using Ended = std::vector<std::pair<int, FenceEnd>>;
constexpr auto never = test::FakeFences::never;

}  // namespace

BOOST_AUTO_TEST_CASE(a_fence_that_has_signalled_is_seen_at_once_and_arms_no_timer) {
    Fixture f;
    f.watch(1, {});
    BOOST_CHECK((f.ended == Ended{{1, FenceEnd::signalled}}));
    BOOST_TEST(f.executor.timers() == 0U);
    BOOST_TEST(f.fences.alive.empty());
    BOOST_TEST(f.counters.fencesInFlight == 0);
}

BOOST_AUTO_TEST_CASE(fences_end_in_the_order_in_which_they_were_made) {
    Fixture f;
    f.watch(1, {.polls = 3});
    f.watch(2, {.polls = 0});
    f.watch(3, {.polls = 2});
    BOOST_TEST(f.ended.empty());
    f.runUntilIdle();
    BOOST_CHECK((f.ended == Ended{{1, FenceEnd::signalled}, {2, FenceEnd::signalled}, {3, FenceEnd::signalled}}));
    BOOST_TEST(f.fences.alive.empty());
}

BOOST_AUTO_TEST_CASE(only_the_oldest_fence_is_looked_at) {
    Fixture f;
    f.watch(1, {.polls = 2});
    f.watch(2, {});
    BOOST_TEST(f.executor.step());
    BOOST_CHECK((f.fences.looks == std::vector<stile::gl::Fence>{1, 1}));
    BOOST_TEST(f.executor.step());
    BOOST_CHECK((f.fences.looks == std::vector<stile::gl::Fence>{1, 1, 1, 2}));
    BOOST_TEST(f.ended.size() == 2U);
}

BOOST_AUTO_TEST_CASE(the_finished_prefix_is_out_before_anybody_is_called) {
    Fixture f;
    std::vector<std::size_t> pendingSeen;
    f.fences.scripts = {{.polls = 1}, {}, {.polls = never}};
    for (int i = 0; i < 2; ++i) {
        f.poller->watch(f.fences.insert(), [&](FenceEnd) { pendingSeen.push_back(f.poller->pending()); });
    }
    f.poller->watch(f.fences.insert(), [&](FenceEnd) { BOOST_ERROR("it never signals"); });
    BOOST_TEST(f.executor.step());
    BOOST_CHECK((pendingSeen == std::vector<std::size_t>{1, 1}));
}

BOOST_AUTO_TEST_CASE(a_callback_may_watch_another_fence) {
    Fixture f;
    f.fences.usual = {.polls = 1};
    int calls = 0;
    std::function<void(FenceEnd)> again = [&](FenceEnd) {
        if (++calls < 5) f.poller->watch(f.fences.insert(), again);
    };
    f.poller->watch(f.fences.insert(), again);
    f.runUntilIdle();
    BOOST_TEST(calls == 5);
    BOOST_TEST(f.fences.alive.empty());
}

BOOST_AUTO_TEST_CASE(looks_back_off_from_50_microseconds_to_2_milliseconds) {
    Fixture f;
    f.watch(1, {.polls = never});
    for (int i = 0; i < 400; ++i) f.executor.step();
    BOOST_CHECK(f.executor.delays.front() == 50us);
    BOOST_CHECK(f.executor.delays.back() == 2ms);
    for (std::size_t i = 1; i < f.executor.delays.size(); ++i) {
        BOOST_TEST_REQUIRE((f.executor.delays[i] >= f.executor.delays[i - 1]));
    }
}

BOOST_AUTO_TEST_CASE(work_of_which_the_like_took_long_is_left_alone_at_first) {
    Fixture f;
    f.watch(1, {.polls = 20});
    f.runUntilIdle();
    const std::size_t before = f.executor.delays.size();
    f.watch(2, {.polls = never});
    BOOST_CHECK(f.executor.delays[before] > 50us);
}

BOOST_AUTO_TEST_CASE(one_timer_is_armed_however_many_fences_there_are_and_none_when_idle) {
    Fixture f;
    for (int i = 0; i < 10; ++i) f.watch(i, {.polls = 5});
    BOOST_TEST(f.executor.timers() == 1U);
    BOOST_TEST(f.poller->armed());
    f.runUntilIdle();
    BOOST_TEST(f.ended.size() == 10U);
    BOOST_TEST(!f.poller->armed());
    BOOST_TEST(f.executor.timers() == 0U);
}

BOOST_AUTO_TEST_CASE(failure_and_loss_are_reported_as_such_and_only_a_lost_sync_is_left_where_it_is) {
    Fixture f;
    f.watch(1, {.polls = 1, .end = FenceState::failed});
    f.watch(2, {.polls = 1, .end = FenceState::lost});
    f.runUntilIdle();
    BOOST_CHECK((f.ended == Ended{{1, FenceEnd::failed}, {2, FenceEnd::lost}}));
    BOOST_TEST(f.fences.alive.size() == 1U);
    BOOST_TEST(f.fences.alive.contains(2));
}

BOOST_AUTO_TEST_CASE(a_deadline_is_reported_once_and_the_fence_watched_on) {
    Fixture f(10ms);
    f.watch(1, {.polls = never});
    f.executor.pass(9ms);
    BOOST_TEST(f.ended.empty());
    BOOST_TEST(!f.poller->isStuck());
    f.executor.pass(1s);
    BOOST_CHECK((f.ended == Ended{{1, FenceEnd::timedOut}}));
    BOOST_TEST(f.poller->isStuck());
    BOOST_TEST(f.fences.alive.size() == 1U);
    BOOST_TEST(f.poller->pending() == 1U);
    f.fences.signal(1);
    f.executor.pass(1s);
    BOOST_CHECK((f.ended == Ended{{1, FenceEnd::timedOut}, {1, FenceEnd::signalled}}));
    BOOST_TEST(f.fences.alive.empty());
}

BOOST_AUTO_TEST_CASE(fences_behind_a_stuck_one_have_deadlines_of_their_own) {
    Fixture f(10ms);
    f.watch(1, {.polls = never});
    f.executor.pass(6ms);
    f.watch(2, {.polls = never});
    f.executor.pass(6ms);
    BOOST_CHECK((f.ended == Ended{{1, FenceEnd::timedOut}}));
    f.executor.pass(6ms);
    BOOST_CHECK((f.ended == Ended{{1, FenceEnd::timedOut}, {2, FenceEnd::timedOut}}));
}

BOOST_AUTO_TEST_CASE(waiting_for_the_oldest_ends_it) {
    Fixture f;
    f.watch(1, {.polls = never});
    f.watch(2, {.polls = never});
    f.poller->waitForOldest(1s);
    BOOST_CHECK((f.ended == Ended{{1, FenceEnd::signalled}}));
}

BOOST_AUTO_TEST_CASE(clearing_removes_every_sync_and_calls_nobody) {
    Fixture f;
    f.watch(1, {.polls = never});
    f.watch(2, {.polls = never});
    f.poller->clear(false);
    BOOST_TEST(f.fences.alive.empty());
    BOOST_TEST(f.counters.fencesInFlight == 0);
    f.runUntilIdle();
    BOOST_TEST(f.ended.empty());
}

BOOST_AUTO_TEST_CASE(a_lost_context_is_not_asked_to_remove_its_syncs) {
    Fixture f;
    f.watch(1, {.polls = never});
    f.poller->clear(true);
    BOOST_TEST(f.fences.alive.size() == 1U);
    BOOST_TEST(f.poller->pending() == 0U);
}

BOOST_AUTO_TEST_CASE(a_timer_that_outlives_the_poller_does_nothing) {
    Fixture f;
    f.watch(1, {.polls = never});
    f.poller.reset();
    f.runUntilIdle();
    BOOST_TEST(f.ended.empty());
}

// Fences with descriptors.

namespace {

std::vector<int> only(int descriptor) { return {descriptor}; }

}  // namespace

BOOST_AUTO_TEST_CASE(a_descriptor_is_awaited_instead_of_a_timer_and_given_up_when_the_fence_has_ended) {
    Fixture f;
    f.watch(1, {.polls = 1, .descriptor = 10});
    BOOST_TEST(f.executor.timers() == 0U);
    BOOST_TEST(f.executor.awaited() == only(10));
    BOOST_TEST(f.executor.readable(10));
    BOOST_CHECK((f.ended == Ended{{1, FenceEnd::signalled}}));
    BOOST_TEST(f.fences.looks.size() == 2U);
    BOOST_TEST(f.executor.awaited().empty());
    BOOST_TEST(f.executor.timers() == 0U);
    BOOST_TEST(!f.poller->armed());
}

BOOST_AUTO_TEST_CASE(the_descriptors_of_later_fences_are_awaited_when_their_turn_has_come) {
    Fixture f;
    f.watch(1, {.polls = 1, .descriptor = 10});
    f.watch(2, {.polls = 1, .descriptor = 20});
    BOOST_TEST(f.executor.awaited() == only(10));
    f.executor.readable(10);
    BOOST_TEST(f.executor.awaited() == only(20));
    f.executor.readable(20);
    BOOST_CHECK((f.ended == Ended{{1, FenceEnd::signalled}, {2, FenceEnd::signalled}}));
}

BOOST_AUTO_TEST_CASE(a_descriptor_that_is_readable_too_early_is_awaited_again_after_a_while) {
    Fixture f;
    f.watch(1, {.polls = never, .descriptor = 10});
    for (int i = 0; i < 5; ++i) {
        BOOST_TEST(f.executor.readable(10));
        BOOST_TEST(f.executor.awaited().empty());  // one that is readable for ever cannot keep the executor busy
        BOOST_TEST(f.executor.timers() == 1U);
        BOOST_TEST(f.executor.step());
        BOOST_TEST(f.executor.awaited() == only(10));
    }
    f.fences.signal(1);
    f.executor.readable(10);
    BOOST_CHECK((f.ended == Ended{{1, FenceEnd::signalled}}));
}

BOOST_AUTO_TEST_CASE(nothing_happens_when_a_descriptor_is_readable_twice) {
    Fixture f;
    f.watch(1, {.polls = 1, .descriptor = 10});
    BOOST_TEST(f.executor.readable(10));
    BOOST_TEST(!f.executor.readable(10));
    BOOST_TEST(f.ended.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_fence_without_a_descriptor_among_others_is_left_to_the_timer) {
    Fixture f;
    f.watch(1, {.polls = 1, .descriptor = 10});
    f.watch(2, {.polls = 1});
    f.watch(3, {.polls = 1, .descriptor = 30});
    f.executor.readable(10);
    BOOST_TEST(f.executor.timers() == 1U);
    BOOST_TEST(f.executor.step());
    BOOST_TEST(f.executor.awaited() == only(30));
    f.executor.readable(30);
    BOOST_TEST(f.ended.size() == 3U);
}

BOOST_AUTO_TEST_CASE(an_executor_that_cannot_await_descriptors_gets_timers) {
    Fixture f;
    f.executor.awaitsDescriptors = false;
    f.watch(1, {.polls = 3, .descriptor = 1000000});
    BOOST_TEST(f.executor.timers() == 1U);
    f.runUntilIdle();
    BOOST_CHECK((f.ended == Ended{{1, FenceEnd::signalled}}));
}

BOOST_AUTO_TEST_CASE(clearing_gives_the_descriptor_up) {
    Fixture f;
    f.watch(1, {.polls = never, .descriptor = 10});
    f.poller->clear(false);
    BOOST_TEST(!f.executor.readable(10));
    BOOST_TEST(f.executor.timers() == 0U);
    // The next fence starts afresh.
    f.watch(2, {.polls = 1, .descriptor = 20});
    f.executor.readable(20);
    BOOST_CHECK((f.ended == Ended{{2, FenceEnd::signalled}}));
}

BOOST_AUTO_TEST_CASE(a_fence_that_ends_otherwise_gives_its_descriptor_up) {
    Fixture f;
    f.watch(1, {.polls = never, .descriptor = 10});
    f.watch(2, {.polls = never, .descriptor = 20});
    f.poller->waitForOldest(1s);
    BOOST_TEST(f.executor.awaited() == only(20));
    f.poller->waitForOldest(1s);
    BOOST_TEST(f.executor.awaited().empty());
    BOOST_TEST(f.ended.size() == 2U);
}

BOOST_AUTO_TEST_CASE(the_deadline_is_reported_while_a_descriptor_is_awaited) {
    Fixture f(10ms);
    f.watch(1, {.polls = never, .descriptor = 10});
    f.executor.pass(6ms);
    f.watch(2, {.polls = never, .descriptor = 20});
    BOOST_TEST(f.fences.looks.size() == 1U);
    f.executor.pass(4ms);
    BOOST_CHECK((f.ended == Ended{{1, FenceEnd::timedOut}}));
    BOOST_TEST(f.poller->isStuck());
    f.executor.pass(6ms);
    BOOST_CHECK((f.ended == Ended{{1, FenceEnd::timedOut}, {2, FenceEnd::timedOut}}));
    f.executor.pass(1s);
    BOOST_TEST(f.executor.awaited() == only(10));
    const std::size_t looks = f.fences.looks.size();
    f.executor.pass(1h);
    BOOST_TEST(f.fences.looks.size() == looks);
    f.fences.signal(1);
    f.fences.signal(2);
    BOOST_TEST(f.executor.readable(10));
    BOOST_TEST(f.ended.size() == 4U);
    BOOST_TEST(f.fences.alive.empty());
}
