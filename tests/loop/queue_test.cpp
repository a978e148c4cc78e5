#define BOOST_TEST_MODULE queue
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <stile/create.hpp>
#include <stile/error.hpp>
#include <stile/ops.hpp>

#include "download/queue.hpp"
#include "engine/engine.hpp"
#include "fake_fences.hpp"
#include "gl/context.hpp"
#include "gl/gpu.hpp"
#include "manual_executor.hpp"

// The download queue on a real context, with fences that do what the test says.

using namespace std::chrono_literals;
using stile::Tensor;
using stile::detail::Request;
using stile::download::Queue;
using stile::gl::FenceState;
using Floats = std::vector<float>;

namespace {

struct Recorder final : stile::detail::Waiter {
    bool settle(const stile::detail::Outcome& outcome) noexcept override {
        ++settled;
        error = outcome.error;
        for (const auto& raw : outcome.values) {
            Floats& out = values.emplace_back(raw.size() / sizeof(float));
            std::memcpy(out.data(), raw.data(), raw.size());
        }
        memory = outcome.memory;
        return true;
    }
    [[nodiscard]] bool abandoned() const noexcept override { return gone; }

    [[nodiscard]] std::error_code code() const {
        try {
            if (error) std::rethrow_exception(error);
        } catch (const stile::Error& e) {
            return e.code();
        }
        return {};
    }
    [[nodiscard]] std::string words() const {
        try {
            if (error) std::rethrow_exception(error);
        } catch (const stile::Error& e) {
            return e.what();
        }
        return {};
    }

    int settled = 0;
    bool gone = false;
    std::exception_ptr error;
    std::vector<Floats> values;
    std::shared_ptr<const void> memory;  ///< of a lease
};

bool wantsEs() {
    const char* api = std::getenv("STILE_API");
    return api && std::string_view(api) == "es";
}

/// Fences whose signal is true: when the script says so, the work before them is waited for.
struct FinishingFences final : test::FakeFences {
    FenceState look(stile::gl::Fence fence) override {
        const FenceState state = test::FakeFences::look(fence);
        if (state == FenceState::signalled) api->Finish();
        return state;
    }
    const stile::gl::Api* api = nullptr;
};

struct Fixture {
    explicit Fixture(Queue::Limits limits = {.fences = 64, .stagingBytes = 1 << 20, .deadline = 1h})
        : context(current(stile::gl::openHeadless({.es = wantsEs()}))),
          gpu([this](const char* name) { return context->procAddress(name); },
              {.es = wantsEs(), .poolBytes = 1 << 20, .programs = 16, .cache = {}}, counters),
          engine(gpu, nullptr, true, true),
          queue(std::make_shared<Queue>(gpu, engine, fences, executor, limits)) {
        fences.api = &gpu.api;
    }
    ~Fixture() { queue->close({stile::errc::device_closed, "test"}, nullptr); }

    static std::unique_ptr<stile::GlContext> current(std::unique_ptr<stile::GlContext> made) {
        made->makeCurrent();
        return made;
    }

    std::shared_ptr<Recorder> ask(std::vector<Tensor> targets, bool read = true) {
        auto waiter = std::make_shared<Recorder>();
        std::vector<Request> requests;
        requests.push_back({.targets = std::move(targets), .read = read, .waiter = waiter});
        queue->add(std::move(requests));
        return waiter;
    }

    /// What is read from: staging memory, or the tensors themselves.
    [[nodiscard]] std::size_t readable() const {
        return gpu.buffers->isMapped() ? gpu.buffers->liveBytes() : queue->staging()->inUse() + queue->staging()->idle();
    }

    std::unique_ptr<stile::GlContext> context;
    stile::gl::Counters counters;
    stile::gl::Gpu gpu;
    FinishingFences fences;
    test::ManualExecutor executor;
    stile::engine::Engine engine;
    std::shared_ptr<Queue> queue;
};

Tensor three() { return stile::tensor(Floats{1, 2}) + 2.0F; }
constexpr auto never = test::FakeFences::never;

}  // namespace

BOOST_AUTO_TEST_CASE(a_request_is_settled_when_its_fence_signals) {
    Fixture f;
    f.fences.usual = {.polls = 3};
    const auto waiter = f.ask({three()});
    BOOST_TEST(waiter->settled == 0);
    while (f.executor.step()) {
    }
    BOOST_TEST(waiter->settled == 1);
    BOOST_TEST_REQUIRE(waiter->values.size() == 1U);
    BOOST_TEST(waiter->values[0] == (Floats{3, 4}));
    BOOST_TEST(f.fences.alive.empty());
}

BOOST_AUTO_TEST_CASE(requests_that_come_together_share_a_fence) {
    Fixture f;
    const Tensor y = three();
    std::vector<std::shared_ptr<Recorder>> waiters;
    std::vector<Request> requests;
    for (int i = 0; i < 5; ++i) {
        waiters.push_back(std::make_shared<Recorder>());
        requests.push_back({.targets = {y}, .waiter = waiters.back()});
    }
    f.queue->add(std::move(requests));
    BOOST_TEST(f.fences.inserted == 1U);
    BOOST_TEST(f.counters.copies == 1);
    for (const auto& waiter : waiters) BOOST_TEST(waiter->values[0] == (Floats{3, 4}));
}

BOOST_AUTO_TEST_CASE(a_tensor_in_flight_is_not_copied_again) {
    Fixture f;
    f.fences.usual = {.polls = 3};
    const Tensor y = three();
    const auto first = f.ask({y}), second = f.ask({y});
    BOOST_TEST(f.fences.inserted == 1U);
    while (f.executor.step()) {
    }
    BOOST_TEST(second->values.at(0) == first->values.at(0));
    BOOST_TEST(f.counters.copies == 1);
}

BOOST_AUTO_TEST_CASE(a_request_that_nobody_waits_for_is_left_out) {
    Fixture f({.fences = 1, .stagingBytes = 1 << 20, .deadline = 1h});
    f.fences.scripts = {{.polls = 1}};
    const auto first = f.ask({three()}), second = f.ask({three()});
    BOOST_TEST(f.counters.requestsWaiting == 1);
    second->gone = true;
    while (f.executor.step()) {
    }
    BOOST_TEST(first->settled == 1);
    BOOST_TEST(f.counters.copies == 1);
    BOOST_TEST(f.fences.inserted == 1U);
}

BOOST_AUTO_TEST_CASE(at_the_fence_limit_requests_wait_in_order) {
    Fixture f({.fences = 2, .stagingBytes = 1 << 20, .deadline = 1h});
    f.fences.usual = {.polls = 2};
    std::vector<std::shared_ptr<Recorder>> waiters;
    for (int i = 0; i < 7; ++i) waiters.push_back(f.ask({three()}));
    BOOST_TEST(f.fences.alive.size() == 2U);
    BOOST_TEST(f.counters.requestsWaiting == 5);
    while (f.executor.step()) BOOST_TEST(f.fences.alive.size() <= 2U);
    for (const auto& waiter : waiters) BOOST_TEST(waiter->settled == 1);
}

BOOST_AUTO_TEST_CASE(a_failed_fence_fails_its_requests_and_no_others) {
    Fixture f;
    f.fences.scripts = {{.polls = 1, .end = FenceState::failed}};
    const auto bad = f.ask({three()}), good = f.ask({three()});
    while (f.executor.step()) {
    }
    BOOST_TEST(bad->code() == make_error_code(stile::errc::fence_failed));
    BOOST_TEST(bad->values.empty());
    BOOST_TEST(good->values.at(0) == (Floats{3, 4}));
}

BOOST_AUTO_TEST_CASE(a_fence_that_cannot_be_made_is_an_error) {
    Fixture f;
    f.fences.failsToInsert = true;
    const auto waiter = f.ask({three()});
    BOOST_TEST(waiter->settled == 1);
    BOOST_TEST(waiter->code() == make_error_code(stile::errc::fence_failed));
    f.fences.failsToInsert = false;
    BOOST_TEST(f.ask({three()})->values.at(0) == (Floats{3, 4}));
}

BOOST_AUTO_TEST_CASE(a_lost_context_fails_everything_now_and_later) {
    Fixture f;
    f.fences.scripts = {{.polls = 1, .end = FenceState::lost}, {.polls = never}};
    const auto first = f.ask({three()}), second = f.ask({three()}, false);
    while (f.executor.step()) {
    }
    BOOST_TEST(first->code() == make_error_code(stile::errc::device_lost));
    BOOST_TEST(second->code() == make_error_code(stile::errc::device_lost));
    BOOST_TEST(second->settled == 1);
    BOOST_TEST(f.ask({three()})->code() == make_error_code(stile::errc::device_lost));
}

BOOST_AUTO_TEST_CASE(a_deadline_settles_the_waiter_and_keeps_the_memory_until_the_fence_has_passed) {
    Fixture f({.fences = 8, .stagingBytes = 1 << 20, .deadline = 10ms});
    f.fences.scripts = {{.polls = never}};
    const auto late = f.ask({three()});
    f.executor.pass(20ms);
    BOOST_TEST(late->settled == 1);
    BOOST_TEST(late->code() == make_error_code(stile::errc::timed_out));
    BOOST_TEST(late->words().find("10 ms") != std::string::npos);
    // The next result must not go to the memory that the GPU may still write: it takes other memory.
    const std::size_t before = f.readable();
    const auto next = f.ask({three()});
    BOOST_TEST(next->settled == 0);
    BOOST_TEST(f.readable() > before);
    f.fences.signal(1);
    f.executor.pass(20ms);
    BOOST_TEST(late->settled == 1);
    BOOST_TEST(next->values.at(0) == (Floats{3, 4}));
}

BOOST_AUTO_TEST_CASE(behind_a_stuck_fence_at_the_limit_requests_fail_instead_of_waiting_for_ever) {
    Fixture f({.fences = 1, .stagingBytes = 1 << 20, .deadline = 10ms});
    f.fences.scripts = {{.polls = never}};
    const auto first = f.ask({three()}), second = f.ask({three()});
    f.executor.pass(20ms);
    BOOST_TEST(first->code() == make_error_code(stile::errc::timed_out));
    BOOST_TEST(second->code() == make_error_code(stile::errc::timed_out));
    BOOST_TEST(f.ask({three()})->code() == make_error_code(stile::errc::timed_out));
    f.fences.signal(1);
    f.executor.pass(20ms);
    BOOST_TEST(f.ask({three()})->values.at(0) == (Floats{3, 4}));
}

BOOST_AUTO_TEST_CASE(closing_settles_what_is_in_flight_and_what_waits_and_removes_the_syncs) {
    std::shared_ptr<Recorder> first, second;
    {
        Fixture f({.fences = 1, .stagingBytes = 1 << 20, .deadline = 1h});
        f.fences.usual = {.polls = never};
        first = f.ask({three()});
        second = f.ask({three()});
        f.queue->close({stile::errc::device_closed, "test"}, nullptr);
        BOOST_TEST(f.fences.alive.empty());
    }
    BOOST_TEST(first->settled == 1);
    BOOST_TEST(second->settled == 1);
    BOOST_TEST(first->code() == make_error_code(stile::errc::device_closed));
    BOOST_TEST(second->code() == make_error_code(stile::errc::device_closed));
}
