#define BOOST_TEST_MODULE landing
#include <boost/test/unit_test.hpp>

#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <stile/create.hpp>
#include <stile/error.hpp>
#include <stile/ops.hpp>

#include "download/queue.hpp"
#include "engine/engine.hpp"
#include "gl/context.hpp"
#include "gl/fence_choice.hpp"
#include "gl/gpu.hpp"
#include "process.hpp"
#include "stile/detail/gl_executor.hpp"

// The driver's own fences, as the library waits for them: when one has signalled, what it guards is done. They are looked at without a
// pause, while a thread waits for them too where the driver has the library use one. On zink each test fails, or the driver crashes, without
// the workaround of its kind.

using namespace std::chrono_literals;
using stile::Tensor;
using stile::detail::Request;
using stile::download::Queue;
using Floats = std::vector<float>;

namespace {

constexpr std::size_t side = 64;

struct Answer final : stile::detail::Waiter {
    bool settle(const stile::detail::Outcome& outcome) noexcept override {
        failed = outcome.error != nullptr;
        if (!outcome.values.empty()) {
            values.resize(outcome.values[0].size() / sizeof(float));
            std::memcpy(values.data(), outcome.values[0].data(), outcome.values[0].size());
        }
        settled = true;
        return true;
    }
    [[nodiscard]] bool abandoned() const noexcept override { return false; }

    bool settled = false, failed = false;
    Floats values;
};

bool wantsEs() {
    const char* api = std::getenv("STILE_API");
    return api && std::string_view(api) == "es";
}

/// Runs nothing: fences are looked at by the test. That their descriptors are asked for makes the thread wait.
struct DeafExecutor final : stile::detail::GlExecutor {
    bool post(std::function<void()>) override { return true; }
    void postAfter(std::chrono::nanoseconds, std::function<void()>) override {}
    [[nodiscard]] std::shared_ptr<void> postWhenReadable(int descriptor, std::chrono::nanoseconds,
                                                         std::function<void()>) override {
        (void)::close(descriptor);
        return std::make_shared<int>(0);
    }
    [[nodiscard]] Time now() const noexcept override { return std::chrono::steady_clock::now(); }
    [[nodiscard]] bool isHere() const noexcept override { return true; }
    using Time = std::chrono::steady_clock::time_point;
};

/// Takes processor time, and has the thread that waits for fences come last: as on a machine that is busy otherwise.
class Crowd {
  public:
    Crowd() {
        for (unsigned i = 0; i < std::thread::hardware_concurrency(); ++i) {
            threads_.emplace_back([this] {
                while (!over_) continue;
            });
        }
    }
    ~Crowd() {
        over_ = true;
        for (std::thread& thread : threads_) thread.join();
    }
    Crowd(const Crowd&) = delete;
    Crowd& operator=(const Crowd&) = delete;

    static void holdWaiterBack() {
        const sched_param none{};
        for (const auto& [id, info] : test::threads()) {
            if (info.name == "stile-wait") (void)sched_setscheduler(std::stoi(id), SCHED_IDLE, &none);
        }
    }

  private:
    std::atomic<bool> over_{false};
    std::vector<std::thread> threads_;
};

struct Fixture {
    Fixture()
        : context(stile::gl::openHeadless({.es = wantsEs()})),
          gpu((context->makeCurrent(), [this](const char* name) { return context->procAddress(name); }),
              {.es = wantsEs(), .poolBytes = 1 << 20, .programs = 16, .cache = {}}, counters),
          fences(stile::gl::chooseFences(gpu.api, gpu.driver)),
          engine(gpu, nullptr, true, true),
          queue(std::make_shared<Queue>(gpu, engine, *fences, executor,
                                        Queue::Limits{.fences = 64, .stagingBytes = 1 << 20, .deadline = 1h})) {}
    ~Fixture() { queue->close({stile::errc::device_closed, "test"}, nullptr); }

    std::shared_ptr<Answer> ask(const Tensor& target, bool read) {
        auto answer = std::make_shared<Answer>();
        std::vector<Request> requests;
        requests.push_back({.targets = {target}, .read = read, .waiter = answer});
        queue->add(std::move(requests));
        return answer;
    }
    void await(const Answer& answer) {
        const auto end = std::chrono::steady_clock::now() + 1min;
        while (!answer.settled) {
            BOOST_TEST_REQUIRE((std::chrono::steady_clock::now() < end), "an answer within a minute");
            queue->waitForOldest(0ns);
        }
        BOOST_TEST_REQUIRE(!answer.failed);
    }

    std::unique_ptr<stile::GlContext> context;
    stile::gl::Counters counters;
    stile::gl::Gpu gpu;
    std::unique_ptr<stile::gl::FenceSource> fences;
    DeafExecutor executor;
    stile::engine::Engine engine;
    std::shared_ptr<Queue> queue;
};

/// Fresh values from the host that pass through a product: `tag` everywhere.
Tensor work(float tag) {
    const auto n = static_cast<std::int64_t>(side);
    return stile::tensor(Floats(side * side, tag), {n, n}).matMul(stile::fill({n, n}, 1.0 / side));
}

/// Runs what a tensor needs, and copies it where it can be read at any time, without a fence.
class Copied {
  public:
    Copied(Fixture& f, const Tensor& y) : bytes_(y.node()->bytes()), block_(f.queue->staging()->take(bytes_)) {
        stile::engine::Submission all({y.node()});
        stile::engine::Slice slice(1h);
        BOOST_TEST_REQUIRE((f.engine.advance(all, slice) == stile::engine::Engine::Progress::finished));
        BOOST_TEST_REQUIRE(!f.engine.errorOf(all, 0));
        const stile::gl::Api& gl = f.gpu.api;
        gl.BindBuffer(GL_COPY_READ_BUFFER, y.node()->buffer->name());
        gl.BindBuffer(GL_COPY_WRITE_BUFFER, block_->buffer());
        gl.CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, static_cast<GLsizeiptr>(bytes_));
        gl.BindBuffer(GL_COPY_READ_BUFFER, 0);
        gl.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
    }
    /// The last element as it is now.
    [[nodiscard]] float last() const {
        block_->land();
        float value = 0;
        std::memcpy(&value, block_->read().data() + bytes_ - sizeof value, sizeof value);
        return value;
    }

  private:
    std::size_t bytes_;
    std::shared_ptr<stile::download::StagingBlock> block_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_download_has_landed_when_its_fence_has_signalled) {
    constexpr int requests = 1500;
    constexpr std::size_t atOnce = 4;
    Fixture f;
    const Crowd crowd;
    std::deque<std::pair<float, std::shared_ptr<Answer>>> pending;
    int wrong = 0;
    std::string first;
    for (int i = 0; i < requests || !pending.empty(); ++i) {
        if (i < requests) pending.emplace_back(static_cast<float>(i), f.ask(work(static_cast<float>(i)), true));
        if (i < requests && pending.size() < atOnce) continue;
        const auto [tag, answer] = std::move(pending.front());
        pending.pop_front();
        f.await(*answer);
        if (tag == 0) Crowd::holdWaiterBack();
        if (answer->values == Floats(side * side, tag)) continue;
        // Whose bytes are they?
        if (wrong++ == 0) first = "request " + std::to_string(tag) + " ends with " + std::to_string(answer->values.back());
    }
    BOOST_TEST(wrong == 0, wrong << " of " << requests << " were read too early: " << first);
}

BOOST_AUTO_TEST_CASE(a_flush_of_the_drivers_own_before_the_fence_does_not_make_it_early) {
    constexpr int requests = 200;
    // As many commands as make the driver hand on what it has gathered, wherever that began: zink's front end takes 1,536 words at a time,
    // and flushes after every twentieth of these.
    constexpr int commands = 1600;
    Fixture f;
    int early = 0;
    for (int i = 1; i <= requests; ++i) {
        const Copied copied(f, work(static_cast<float>(i)));
        for (int c = 0; c < commands; ++c)
            f.gpu.api.MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
        const stile::gl::Fence fence = f.fences->insert();
        const auto end = std::chrono::steady_clock::now() + 1min;
        while (f.fences->look(fence) == stile::gl::FenceState::pending) {
            BOOST_TEST_REQUIRE((std::chrono::steady_clock::now() < end), "a signal within a minute");
        }
        if (copied.last() != static_cast<float>(i)) ++early;
        f.fences->remove(fence);
    }
    BOOST_TEST(early == 0, early << " of " << requests << " had not landed");
}

BOOST_AUTO_TEST_CASE(what_was_submitted_before_is_done_when_its_evaluation_has_ended) {
    constexpr int requests = 100;
    Fixture f;
    int early = 0;
    for (int i = 1; i <= requests; ++i) {
        const Tensor y = work(static_cast<float>(i)).matMul(stile::fill({64, 64}, 1.0 / side));
        const Copied copied(f, y);
        f.gpu.api.Flush();
        f.await(*f.ask(y, false));
        if (copied.last() != static_cast<float>(i)) ++early;
    }
    BOOST_TEST(early == 0, early << " of " << requests << " ended too early");
}
