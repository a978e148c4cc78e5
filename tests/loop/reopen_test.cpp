#define BOOST_TEST_MODULE reopen
#include <boost/test/unit_test.hpp>

#include <EGL/egl.h>

#include <asio/bind_cancellation_slot.hpp>
#include <asio/bind_executor.hpp>
#include <asio/cancellation_signal.hpp>

#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "process.hpp"
#include "rig.hpp"

// A context that goes, and what goes on with the next one.

using stile::errc;
using stile::Tensor;
using stile::Variable;
using Floats = std::vector<float>;

namespace {

/// Leaves the thread that settles it, the GL thread, without a context.
struct Thief final : stile::detail::Waiter {
    bool settle(const stile::detail::Outcome&) noexcept override {
        eglMakeCurrent(eglGetCurrentDisplay(), EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        done = true;
        return true;
    }
    [[nodiscard]] bool abandoned() const noexcept override { return false; }
    std::atomic<bool> done{false};
};

/// A rig whose context can be lost: a GL thread's is taken away from it, an application's is destroyed.
struct Lossy : test::Rig {
    using Rig::Rig;

    void lose() {
        if (context) {
            context->destroy();
            return;
        }
        const auto thief = std::make_shared<Thief>();
        (void)stile::detail::enqueue({.read = false, .waiter = thief}, nullptr, device->core());
        until([&] { return thief->done.load(); });
    }
    /// What goes with `reopen`: for an attached device a new context, made current.
    stile::ReopenOptions replacement() {
        if (!context) return {};
        context.emplace();
        return {.loader = test::OwnContext::load};
    }
    void reopen() { get(device->reopen(replacement(), asio::use_awaitable)); }

    /// Waits until variables are on the host: behind the copy that is under way, and behind the one that follows it.
    void save() {
        get(device->idle());
        get(device->idle());
    }

    std::error_code errorOf(const Tensor& x) { return failureOf(x).first; }
    std::pair<std::error_code, std::string> failureOf(const Tensor& x) {
        try {
            (void)get(x.data());
        } catch (const std::system_error& e) {
            return {e.code(), e.what()};
        }
        return {};
    }
    /// Starts an operation whose end is noted.
    auto noting(std::optional<std::error_code>& end) {
        return asio::bind_executor(loop->get_executor(),
                                   [&end](std::exception_ptr error) { end = error ? test::codeOf(error) : std::error_code{}; });
    }
};

Tensor squares() { return stile::tensor({{1, 4}, {9, 16}}); }
const Floats roots{1, 2, 3, 4};

}  // namespace

BOOST_FIXTURE_TEST_CASE(values_on_the_host_and_what_is_recorded_from_them_survive, Lossy) {
    const Tensor x = squares(), y = stile::sqrt(x) + 1.0F;
    lose();
    BOOST_TEST(errorOf(y) == errc::device_lost);
    reopen();
    BOOST_TEST(get(y.data()) == (Floats{2, 3, 4, 5}));
    BOOST_TEST(get(stile::sqrt(x).data()) == roots);
}

BOOST_FIXTURE_TEST_CASE(values_that_were_on_the_gpu_alone_stay_lost_and_say_which, Lossy) {
    const Tensor y = stile::sqrt(squares());
    BOOST_TEST(get(y.data()) == roots);
    const Tensor before = y * 2.0F;
    lose();
    reopen();
    for (const Tensor& x : {y, before, y + 1.0F, stile::sum(y), stile::reshape(y, {4})}) {
        const auto [code, text] = failureOf(x);
        BOOST_TEST(code == errc::device_lost);
        BOOST_TEST(text.find("sqrt float32 [2, 2] was computed before the context was lost") != std::string::npos, text);
    }
    BOOST_CHECK_THROW(get(stile::eval(y)), stile::Error);
}

BOOST_FIXTURE_TEST_CASE(a_lost_value_harms_nobody_that_was_asked_for_with_it, Lossy) {
    const Tensor y = stile::sqrt(squares());
    get(stile::eval(y));
    lose();
    reopen();
    std::exception_ptr first;
    std::optional<Floats> second;
    const auto executor = loop->get_executor();
    y.data(asio::bind_executor(executor, [&](std::exception_ptr error, const Floats&) { first = error; }));
    stile::sqrt(squares()).data(asio::bind_executor(executor, [&](std::exception_ptr, Floats v) { second = std::move(v); }));
    until([&] { return first && second; });
    BOOST_TEST(test::codeOf(first) == errc::device_lost);
    BOOST_TEST(*second == roots);
}

BOOST_FIXTURE_TEST_CASE(what_is_pending_fails_and_can_be_asked_for_again, Lossy) {
    get(stile::eval(stile::sqrt(squares())));
    const Tensor y = stile::sqrt(squares());
    lose();
    std::optional<std::error_code> end;
    stile::eval(y, noting(end));
    std::optional<std::error_code> reopened;
    device->reopen(replacement(), noting(reopened));
    until([&] { return end && reopened; });
    BOOST_TEST(*end == errc::device_lost);
    BOOST_TEST(!*reopened);
    BOOST_TEST(get(y.data()) == roots);
}

BOOST_FIXTURE_TEST_CASE(a_context_that_is_not_lost_is_kept, Lossy) {
    const Tensor y = stile::sqrt(squares());
    get(stile::eval(y));
    const stile::DeviceStats before = device->stats();
    get(device->reopen());
    const stile::ReopenOptions options{.loader = test::OwnContext::load};
    get(device->reopen(options));
    BOOST_TEST(device->stats().programs == before.programs);
    BOOST_TEST(get(y.data()) == roots);
}

BOOST_FIXTURE_TEST_CASE(it_can_be_lost_and_reopened_again_and_again, Lossy) {
    const Tensor x = squares();
    for (int i = 0; i < 3; ++i) {
        BOOST_TEST(get(stile::sqrt(x).data()) == roots);
        lose();
        std::optional<std::error_code> first, second;
        const stile::ReopenOptions options = replacement();
        device->reopen(options, noting(first));
        device->reopen(options, noting(second));
        until([&] { return first && second; });
        BOOST_TEST(!*first);
        BOOST_TEST(!*second);
    }
    BOOST_TEST(get(stile::sqrt(x).data()) == roots);
}

BOOST_FIXTURE_TEST_CASE(nothing_of_the_old_context_is_left_to_count, Lossy) {
    std::optional<Tensor> old = stile::sqrt(stile::zeros({1000}));
    get(stile::eval(*old));
    const Tensor y = stile::sqrt(squares());
    get(stile::eval(y));
    lose();
    std::optional<std::error_code> end;
    stile::eval(stile::sqrt(squares()), noting(end));
    until([&] { return end.has_value(); });
    reopen();
    stile::DeviceStats stats = device->stats();
    BOOST_TEST(stats.fencesInFlight == 0);
    BOOST_TEST(stats.requestsWaiting == 0);
    BOOST_TEST(stats.programs == 0);
    stile::MemoryInfo memory = device->memory();
    BOOST_TEST(memory.buffers == 0);
    BOOST_TEST(memory.live == 0U);
    BOOST_TEST(memory.staging == 0U);
    BOOST_TEST(memory.peak >= 4000U);
    // A buffer that goes later belongs to no pool any more, whatever its name now names.
    const Tensor z = stile::sqrt(squares());
    get(stile::eval(z));
    memory = device->memory();
    old.reset();
    BOOST_TEST(device->memory().pooled == memory.pooled);
    BOOST_TEST(device->memory().live == memory.live);
    BOOST_TEST(get(z.data()) == roots);
    BOOST_TEST(device->stats().fencesInFlight == 0);
}

BOOST_AUTO_TEST_CASE(no_thread_of_an_old_context_stays) {
    if (test::Rig::attached()) return;
    Lossy rig;
    const auto names = [] {
        std::multiset<std::string> out;
        for (const auto& [id, info] : test::threads()) {
            // Mesa's queues, named with a colon, get threads when they have much to do.
            if (info.name.find(':') == std::string::npos) out.insert(info.name);
        }
        return out;
    };
    (void)rig.get(test::job(1).data());
    const auto before = names();
    rig.lose();
    rig.reopen();
    (void)rig.get(test::job(1).data());
    BOOST_TEST(names() == before, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_closed_device_is_not_reopened, Lossy) {
    device->close();
    std::optional<std::error_code> end;
    device->reopen(noting(end));
    until([&] { return end.has_value(); });
    BOOST_TEST(*end == errc::device_closed);
}

BOOST_FIXTURE_TEST_CASE(closing_while_it_reopens_ends_the_reopening, Lossy) {
    lose();
    std::optional<std::error_code> end;
    device->reopen(replacement(), noting(end));
    device->flush();
    device->close();
    until([&] { return end.has_value(); });
    BOOST_TEST((!*end || *end == errc::device_closed));
    BOOST_TEST(errorOf(stile::sqrt(squares()).on(*device)) == errc::device_closed);
}

BOOST_FIXTURE_TEST_CASE(a_reopening_that_is_cancelled_before_it_begins_is_left_out, Lossy) {
    lose();
    BOOST_TEST(errorOf(stile::sqrt(squares())) == errc::device_lost);
    asio::cancellation_signal signal;
    std::optional<std::error_code> end;
    device->reopen(replacement(), asio::bind_cancellation_slot(signal.slot(), noting(end)));
    signal.emit(asio::cancellation_type::terminal);
    until([&] { return end.has_value(); });
    BOOST_TEST(*end == test::aborted);
    BOOST_TEST(errorOf(stile::sqrt(squares())) == errc::device_lost);
    const stile::ReopenOptions again =
        context ? stile::ReopenOptions{.loader = test::OwnContext::load} : stile::ReopenOptions{};
    get(device->reopen(again));
    BOOST_TEST(get(stile::sqrt(squares()).data()) == roots);
}

BOOST_FIXTURE_TEST_CASE(a_context_that_is_not_there_fails_the_reopening_which_can_be_tried_again, Lossy) {
    lose();
    std::optional<std::error_code> end;
    if (context) {
        device->reopen(noting(end));
        until([&] { return end.has_value(); });
        BOOST_TEST(*end == errc::no_context);
        end.reset();
        const stile::ReopenOptions nothing{.loader = [](const char*) -> void* { return nullptr; }};
        device->reopen(nothing, noting(end));
    } else {
        struct Absent final : stile::GlContext {
            void makeCurrent() override { throw stile::Error(errc::no_context, "absent"); }
            void doneCurrent() noexcept override {}
            [[nodiscard]] void* procAddress(const char*) const override { return nullptr; }
            [[nodiscard]] bool es() const noexcept override { return false; }
        };
        device->reopen({.context = std::make_shared<Absent>()}, noting(end));
    }
    until([&] { return end.has_value(); });
    BOOST_TEST(*end == errc::no_context);
    BOOST_TEST(errorOf(stile::sqrt(squares())) == errc::device_lost);
    if (!context) {
        // From now on the context is the application's.
        end.reset();
        device->reopen(noting(end));
        until([&] { return end.has_value(); });
        BOOST_TEST(*end == errc::no_context);
        return;
    }
    reopen();
    BOOST_TEST(get(stile::sqrt(squares()).data()) == roots);
}

BOOST_FIXTURE_TEST_CASE(a_variable_that_is_kept_on_the_host_comes_back, Lossy) {
    Variable kept(stile::sqrt(squares()), {.keepOnHost = true}), other(stile::sqrt(squares()));
    get(stile::eval(other.value()));
    kept.assign(kept.value() + 1.0F);
    const Tensor before = kept.value() * 10.0F;
    save();
    lose();
    reopen();
    BOOST_TEST(get(kept.value().data()) == (Floats{2, 3, 4, 5}));
    BOOST_TEST(get((kept + 1.0F).data()) == (Floats{3, 4, 5, 6}));
    // What had been recorded from it as well.
    BOOST_TEST(get(before.data()) == (Floats{20, 30, 40, 50}));
    BOOST_TEST(errorOf(other) == errc::device_lost);
    kept.assign(kept.value() * 2.0F);
    BOOST_TEST(get(kept.value().data()) == (Floats{4, 6, 8, 10}));
    // And once more, without having been computed again.
    save();
    lose();
    reopen();
    BOOST_TEST(get(kept.value().data()) == (Floats{4, 6, 8, 10}));
}

BOOST_FIXTURE_TEST_CASE(a_value_whose_copy_never_arrived_gives_way_to_the_one_before, Lossy) {
    Variable weights(stile::tensor({1.0F, 2.0F}), {.keepOnHost = true});
    const Tensor computed = weights.value() + 1.0F;
    get(stile::eval(computed));
    lose();
    weights.assign(computed);
    BOOST_TEST(weights.value().node() == computed.node());
    until([&] { return weights.value().node() != computed.node(); });
    BOOST_TEST(get(weights.value().data()) == (Floats{1, 2}));
    reopen();
    weights.assign(weights.value() * 5.0F);
    BOOST_TEST(get(weights.value().data()) == (Floats{5, 10}));
}

BOOST_FIXTURE_TEST_CASE(of_what_is_assigned_in_a_hurry_only_the_latest_is_copied, Lossy) {
    Variable step(stile::tensor(Floats{0}), {.keepOnHost = true});
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 500; ++i) step.assign(step.value() + 1.0F);
    const auto took = std::chrono::steady_clock::now() - begin;
    save();
    BOOST_TEST(device->stats().copies <= 2 + took / std::chrono::milliseconds(2));
    lose();
    reopen();
    BOOST_TEST(get(step.value().data()) == (Floats{500}));
}

BOOST_FIXTURE_TEST_CASE(a_variable_is_assigned_from_any_thread, Lossy) {
    Variable x(stile::sqrt(squares()), {.keepOnHost = true});
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&] {
            for (int i = 0; i < 200; ++i) x.assign(stile::sqrt(squares()));
        });
    }
    for (std::thread& thread : threads) thread.join();
    BOOST_TEST(get(x.value().data()) == roots);
}
