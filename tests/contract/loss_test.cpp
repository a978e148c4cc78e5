#define BOOST_TEST_MODULE loss
#include <boost/test/unit_test.hpp>

#include <asio.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <stile/attach.hpp>
#include <stile/stile.hpp>
#include <stile/testing.hpp>

#include "error_of.hpp"
#include "scripted.hpp"

// A context that is lost on cue, at each stage of what it is used for, and what goes on with the next one. As in contract_test.cpp,
// STILE_TEST_MODE=attached has GL on the loop, and STILE_TEST_DRIVER=fake needs no driver.

using namespace std::chrono_literals;
using stile::errc;
using stile::Tensor;
using stile::testing::FenceEnd;
using stile::testing::ScriptedContext;
using test::codeOf;
using Floats = std::vector<float>;

namespace {

const bool attached = test::environmentSays("STILE_TEST_MODE", "attached");

Tensor work() { return stile::sqrt(stile::tensor({{1, 4}, {9, 16}})); }
const Floats roots{1, 2, 3, 4};

/// How an operation has ended.
struct End {
    bool done = false;
    std::error_code code;
    Floats values;
};

struct Rig {
    explicit Rig(std::size_t maxFences = 64) {
        const stile::DeviceOptions options{.context = attached ? nullptr : context, .maxFences = maxFences, .diskCache = false};
        if (attached) {
            context->makeCurrent();
            device.emplace(stile::Device::attach(loop.get_executor(), context->loader(), options));
        } else {
            device.emplace(stile::Device::open(options));
        }
    }
    ~Rig() {
        context->release();
        device->close();
        BOOST_TEST(context->objects().total() == 0);
    }
    Rig(const Rig&) = delete;
    Rig& operator=(const Rig&) = delete;

    template <class Condition>
    void until(Condition holds) {
        const auto end = std::chrono::steady_clock::now() + 60s;
        while (!holds()) {
            BOOST_TEST_REQUIRE((std::chrono::steady_clock::now() < end), "the condition holds within a minute");
            loop.restart();
            loop.run_for(1ms);
        }
    }
    void ask(const Tensor& x, End& end) {
        x.data(asio::bind_executor(loop.get_executor(), [&end](const std::exception_ptr& error, Floats values) {
            end = {true, codeOf(error), std::move(values)};
        }));
    }
    Floats get(const Tensor& x) {
        End end;
        ask(x, end);
        until([&] { return end.done; });
        BOOST_TEST(!end.code, end.code.message());
        return end.values;
    }
    std::error_code errorOf(const Tensor& x) {
        End end;
        ask(x, end);
        until([&] { return end.done; });
        return end.code;
    }
    void turn() {
        until([n = 0]() mutable { return ++n > 2; });
    }
    void idle() {
        bool done = false;
        device->idle(asio::bind_executor(loop.get_executor(), [&](const std::exception_ptr&) { done = true; }));
        until([&] { return done; });
    }

    std::error_code reopen(const stile::ReopenOptions& options) {
        std::optional<std::error_code> end;
        device->reopen(options,
                       asio::bind_executor(loop.get_executor(), [&](const std::exception_ptr& error) { end = codeOf(error); }));
        until([&] { return end.has_value(); });
        return *end;
    }
    /// Goes on with this context.
    std::error_code reopen(std::shared_ptr<ScriptedContext> next = test::scriptedContext()) {
        former.push_back(std::exchange(context, std::move(next)));
        if (attached) former.back()->doneCurrent();
        if (attached) context->makeCurrent();
        return reopen(attached ? stile::ReopenOptions{.loader = context->loader()} : stile::ReopenOptions{.context = context});
    }

    asio::io_context loop{1};
    std::shared_ptr<ScriptedContext> context = test::scriptedContext();
    std::vector<std::shared_ptr<ScriptedContext>> former;
    std::optional<stile::Device> device;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_reset_between_two_downloads) {
    Rig rig;
    const Tensor x = work(), y = x + 1.0F;
    BOOST_TEST(rig.get(x) == roots);
    rig.context->lose();
    BOOST_TEST(rig.errorOf(y) == errc::device_lost);
    BOOST_TEST(rig.errorOf(work()) == errc::device_lost);
    BOOST_TEST(!rig.reopen());
    BOOST_TEST(rig.get(work() + 1.0F) == (Floats{2, 3, 4, 5}));
    BOOST_TEST(rig.errorOf(x) == errc::device_lost);
    BOOST_TEST(rig.errorOf(y) == errc::device_lost);
}

BOOST_AUTO_TEST_CASE(a_reset_while_downloads_are_pending_and_waiting) {
    Rig rig(1);
    BOOST_TEST(rig.get(work()) == roots);
    rig.context->hold();
    const Tensor pending = work(), waiting = work() * 2.0F, recorded = work() * 3.0F;
    End first, second, third;
    rig.ask(pending, first);
    rig.until([&] { return rig.device->stats().fencesInFlight == 1; });
    rig.ask(waiting, second);
    rig.until([&] { return rig.device->stats().requestsWaiting == 1; });
    rig.context->lose();
    rig.ask(recorded, third);
    rig.until([&] { return first.done && second.done && third.done; });
    for (const End& end : {first, second, third}) BOOST_TEST(end.code == errc::device_lost);
    BOOST_TEST(!rig.reopen());
    // The pending one had run, on the old context; the others had not.
    BOOST_TEST(rig.errorOf(pending) == errc::device_lost);
    BOOST_TEST(rig.get(waiting) == (Floats{2, 4, 6, 8}));
    BOOST_TEST(rig.get(recorded) == (Floats{3, 6, 9, 12}));
    const stile::DeviceStats stats = rig.device->stats();
    BOOST_TEST(stats.fencesInFlight == 0);
    BOOST_TEST(stats.requestsWaiting == 0);
}

BOOST_AUTO_TEST_CASE(a_reset_that_a_fence_finds_ends_what_is_behind_it_too) {
    Rig rig;
    BOOST_TEST(rig.get(work()) == roots);
    rig.context->hold();
    rig.context->set({.fences = {{1, {.polls = 0, .end = FenceEnd::lost}}}});
    End first, second;
    rig.ask(work(), first);
    rig.until([&] { return rig.device->stats().fencesInFlight == 1; });
    rig.ask(work(), second);
    rig.until([&] { return rig.device->stats().fencesInFlight == 2; });
    rig.context->release();
    rig.until([&] { return first.done && second.done; });
    BOOST_TEST(first.code == errc::device_lost);
    BOOST_TEST(second.code == errc::device_lost);
    BOOST_TEST(!rig.reopen());
    BOOST_TEST(rig.get(work()) == roots);
}

BOOST_AUTO_TEST_CASE(a_reset_of_the_new_context_while_it_is_opened) {
    Rig rig;
    const Tensor x = work();
    rig.context->lose();
    for (int i = 0; i < 2; ++i) {
        const auto next = test::scriptedContext();
        next->lose();
        BOOST_TEST(rig.reopen(next) == errc::device_lost);
        BOOST_TEST(rig.errorOf(x) == errc::device_lost);
    }
    BOOST_TEST(!rig.reopen());
    BOOST_TEST(rig.get(x) == roots);
    rig.context->lose();
    BOOST_TEST(rig.errorOf(work()) == errc::device_lost);
    BOOST_TEST(!rig.reopen());
    BOOST_TEST(rig.get(work()) == roots);
}

BOOST_AUTO_TEST_CASE(who_brought_the_context_brings_the_next) {
    Rig rig;
    rig.context->lose();
    BOOST_TEST(rig.reopen(stile::ReopenOptions{}) == errc::no_context);
    BOOST_TEST(rig.errorOf(work()) == errc::device_lost);
    BOOST_TEST(!rig.reopen());
    // The context is well: another is not taken.
    const auto spare = test::scriptedContext();
    if (attached) rig.context->makeCurrent();
    BOOST_TEST(!rig.reopen(stile::ReopenOptions{.context = spare, .loader = spare->loader()}));
    BOOST_TEST(spare->objects().total() == 0);
    BOOST_TEST(rig.get(work()) == roots);
}

BOOST_AUTO_TEST_CASE(what_dies_after_its_context_leaves_the_next_one_alone) {
    Rig rig;
    std::vector<Tensor> old;
    for (int i = 0; i < 20; ++i) {
        old.push_back(work() + static_cast<float>(i));
        (void)rig.get(old.back());
    }
    rig.context->lose();
    BOOST_TEST(!rig.reopen());
    const Tensor x = work();
    BOOST_TEST(rig.get(x) == roots);
    rig.idle();
    const int objects = rig.context->objects().total();
    old.clear();
    rig.idle();
    BOOST_TEST(rig.context->objects().total() == objects);
    BOOST_TEST(rig.get(x) == roots);
}

BOOST_AUTO_TEST_CASE(a_lease_outlives_its_context) {
    Rig rig;
    std::optional<stile::Mapped<float>> lease;
    work().map(asio::bind_executor(rig.loop.get_executor(), [&](const std::exception_ptr&, stile::Mapped<float> mapped) {
        lease.emplace(std::move(mapped));
    }));
    rig.until([&] { return lease.has_value(); });
    rig.context->lose();
    BOOST_TEST(rig.errorOf(work()) == errc::device_lost);
    BOOST_TEST(!rig.reopen());
    BOOST_TEST(Floats(lease->begin(), lease->end()) == roots);
    BOOST_TEST(rig.get(work()) == roots);
    lease.reset();
}

BOOST_AUTO_TEST_CASE(a_variable_whose_copy_is_on_its_way_has_the_value_before) {
    Rig rig;
    stile::Variable kept(work(), {.keepOnHost = true});
    rig.idle();
    rig.idle();
    rig.context->hold();
    kept.assign(kept.value() + 1.0F);
    rig.until([&] { return rig.device->stats().fencesInFlight == 1; });
    kept.assign(kept.value() + 1.0F);
    rig.context->lose();
    rig.context->release();
    BOOST_TEST(!rig.reopen());
    BOOST_TEST(rig.get(kept.value()) == roots);
    kept.assign(kept.value() + 2.0F);
    rig.idle();
    rig.idle();
    rig.context->lose();
    BOOST_TEST(!rig.reopen());
    BOOST_TEST(rig.get(kept.value()) == (Floats{3, 4, 5, 6}));
}

BOOST_AUTO_TEST_CASE(a_device_that_is_closed_while_lost_gives_everything_back) {
    Rig rig;
    const Tensor x = work();
    (void)rig.get(x);
    rig.context->lose();
    End end;
    rig.ask(work(), end);
    rig.device->close();
    rig.until([&] { return end.done; });
    BOOST_TEST((end.code == errc::device_closed || end.code == errc::device_lost));
    BOOST_TEST(rig.reopen() == errc::device_closed);
}

BOOST_AUTO_TEST_CASE(a_blocked_thread_is_let_go) {
    if (attached) return;
    Rig rig;
    (void)rig.get(work());
    rig.context->hold();
    std::error_code code;
    std::thread blocked([&] {
        const stile::SyncGuard quiet(stile::SyncPolicy::allow);
        try {
            (void)work().dataSync();
        } catch (const stile::Error& error) {
            code = error.code();
        }
    });
    rig.until([&] { return rig.device->stats().fencesInFlight == 1; });
    rig.context->lose();
    rig.context->release();
    blocked.join();
    BOOST_TEST(code == errc::device_lost);
    BOOST_TEST(!rig.reopen());
}

/// Tensors that grow from one another while the context is lost now and then. Whatever is asked for comes with its right
/// values or as lost; nothing is lost that never ran or that is on the host.
void grow(std::uint32_t seed) {
    struct Item {
        Tensor tensor;
        Floats value;
        bool mayBeLost = false;  ///< it, or what it needs, has been in a submission to a context that is gone
        std::vector<std::size_t> inputs{};
        bool submitted = false;
    };
    std::mt19937 random(seed);
    const auto draw = [&](std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(random); };
    Rig rig;
    std::vector<Item> items;
    const auto submit = [&](std::size_t at) {
        std::vector<std::size_t> rest{at};
        while (!rest.empty()) {
            Item& item = items[rest.back()];
            rest.pop_back();
            if (!std::exchange(item.submitted, true)) rest.insert(rest.end(), item.inputs.begin(), item.inputs.end());
        }
    };
    for (int step = 0; step < 80; ++step) {
        const std::size_t what = items.size() < 3 ? 0 : draw(12);
        if (what == 0) {
            const auto v = static_cast<float>(draw(9));
            items.push_back({stile::tensor({v, v + 1}), {v, v + 1}});
        } else if (what < 7) {
            const std::size_t a = draw(items.size()), b = draw(items.size());
            Item sum{items[a].tensor + items[b].tensor, {}, items[a].mayBeLost || items[b].mayBeLost, {a, b}};
            for (std::size_t i = 0; i < 2; ++i) sum.value.push_back(items[a].value[i] + items[b].value[i]);
            items.push_back(std::move(sum));
        } else if (what < 11) {
            const std::size_t at = draw(items.size());
            const Item& item = items[at];
            End end;
            rig.ask(item.tensor, end);
            rig.until([&] { return end.done; });
            submit(at);
            if (end.code) {
                BOOST_TEST(end.code == errc::device_lost);
                BOOST_TEST(item.mayBeLost);
            } else {
                BOOST_TEST(end.values == item.value);
            }
        } else {
            rig.context->lose();
            for (Item& item : items) item.mayBeLost = item.mayBeLost || (item.submitted && !item.inputs.empty());
            for (Item& item : items) {
                for (const std::size_t input : item.inputs) item.mayBeLost = item.mayBeLost || items[input].mayBeLost;
            }
            BOOST_TEST(!rig.reopen());
        }
    }
}

BOOST_AUTO_TEST_CASE(what_grows_through_losses_is_right_or_lost) {
    const std::uint32_t rounds = test::environmentSays("STILE_TEST_DRIVER", "fake") ? 60 : 8;
    for (std::uint32_t seed = 1; seed <= rounds; ++seed) BOOST_TEST_CONTEXT("seed " << seed) {
            grow(seed);
        }
}

BOOST_AUTO_TEST_CASE(a_program_can_test_its_own_recovery) {
    asio::io_context loop;
    stile::testing::FakeDevice fake(loop, {.fences = {{2, {.polls = 3, .end = FenceEnd::lost}}}});
    const auto next = std::make_shared<ScriptedContext>();
    Floats got;
    bool wasLost = false;
    const auto program = [&]() -> asio::awaitable<void> {
        const Tensor x = stile::tensor({{1, 4}, {9, 16}});
        for (int i = 0; i < 3; ++i) {
            std::error_code code;
            const Tensor y = stile::sqrt(x);
            try {
                got = co_await y.data();
            } catch (const stile::Error& error) {
                code = error.code();
            }
            if (code != errc::device_lost) continue;
            wasLost = true;
            next->makeCurrent();
            const stile::ReopenOptions options{.loader = next->loader()};
            co_await fake.device().reopen(options);
        }
    };
    asio::co_spawn(loop, program(), asio::detached);
    fake.run();
    BOOST_TEST(wasLost);
    BOOST_TEST(got == roots);
}
