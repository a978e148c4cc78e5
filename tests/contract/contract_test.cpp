#define BOOST_TEST_ALTERNATIVE_INIT_API
#include <boost/test/unit_test.hpp>

#include <asio.hpp>

#include <array>
#include <chrono>
#include <functional>
#include <future>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <stile/attach.hpp>
#include <stile/stile.hpp>
#include <stile/testing.hpp>

#include "scripted.hpp"

// What may go wrong × how far the operation has come, for each kind of download: each cell is a test that the operation ends
// exactly once, as the table says, on its executor and thread, and leaves nothing behind. STILE_TEST_MODE=attached has GL on the
// loop, else it has a thread; STILE_TEST_DRIVER=fake needs no driver.

using namespace std::chrono_literals;
using stile::errc;
using stile::Tensor;
using stile::testing::FenceEnd;
using stile::testing::Script;

namespace {

const bool attached = test::environmentSays("STILE_TEST_MODE", "attached");

enum class Failure { cancelled, deadline, dropped, closed, loopGone, lost, allocation, shader, fence };
constexpr std::array failures{"cancelled",    "deadline",          "tensor dropped", "device closed", "io_context destroyed",
                              "context lost", "allocation failed", "shader failed",  "fence failed"};
enum class Phase { turn, waiting, pending, signalled, delivering };
constexpr std::array phases{"before submission", "recorded", "pending", "signalled", "being delivered"};
enum class Kind { data, dataInto, map };
constexpr std::array kinds{"data", "dataInto", "map"};

/// How a cell ends.
enum class End { values, aborted, timedOut, closed, destroyed, lost, memory, shader, fence };

/// The contract. Rows are failures, columns phases.
constexpr std::array<std::array<End, phases.size()>, failures.size()> contract{{
    {End::aborted, End::aborted, End::aborted, End::aborted, End::values},
    {End::timedOut, End::timedOut, End::timedOut, End::timedOut, End::values},
    {End::values, End::values, End::values, End::values, End::values},
    {End::closed, End::closed, End::closed, End::closed, End::values},
    {End::destroyed, End::destroyed, End::destroyed, End::destroyed, End::destroyed},
    {End::lost, End::lost, End::lost, End::lost, End::values},
    {End::memory, End::memory, End::values, End::values, End::values},
    {End::shader, End::shader, End::values, End::values, End::values},
    {End::fence, End::fence, End::fence, End::fence, End::values},
}};

std::error_code codeOf(End end) {
    switch (end) {
        case End::aborted: return asio::error::make_error_code(asio::error::operation_aborted);
        case End::timedOut: return errc::timed_out;
        case End::closed: return errc::device_closed;
        case End::lost: return errc::device_lost;
        case End::memory: return errc::out_of_memory;
        case End::shader: return errc::shader_failed;
        case End::fence: return errc::fence_failed;
        default: return {};
    }
}

constexpr std::array<float, 4> roots{1, 2, 3, 4}, untouched{-1, -1, -1, -1};
Tensor work() { return stile::sqrt(stile::tensor({{1, 4}, {9, 16}})); }

/// What has become of a handler.
struct Fate {
    int alive = 0, calls = 0;
    std::error_code error;
    std::vector<float> values;
    std::thread::id calledOn;
};

struct Handler {
    explicit Handler(Fate& f) noexcept : fate(&f) { ++fate->alive; }
    Handler(Handler&& other) noexcept : fate(other.fate) { ++fate->alive; }
    Handler& operator=(Handler&&) = delete;
    ~Handler() { --fate->alive; }

    void operator()(const std::exception_ptr& error, auto... result) {
        ++fate->calls;
        fate->calledOn = std::this_thread::get_id();
        try {
            if (error) std::rethrow_exception(error);
        } catch (const std::system_error& e) {
            fate->error = e.code();
        }
        (fate->values.assign(result.begin(), result.end()), ...);
    }
    Fate* fate;
};

template <class Condition>
void waitFor(const char* what, Condition holds) {
    const auto end = std::chrono::steady_clock::now() + 60s;
    while (!holds()) {
        BOOST_TEST_REQUIRE((std::chrono::steady_clock::now() < end), what);
        std::this_thread::sleep_for(100us);
    }
}

class Cell {
  public:
    Cell(Failure failure, Phase phase, Kind kind)
        : failure_(failure), phase_(phase), kind_(kind), context_(test::scriptedContext()) {
        const stile::DeviceOptions options{.context = attached ? nullptr : context_, .maxFences = 1, .diskCache = false};
        if (attached) {
            context_->makeCurrent();
            device_.emplace(stile::Device::attach(loop_->get_executor(), context_->loader(), options));
        } else {
            device_.emplace(stile::Device::open(options));
        }
    }
    ~Cell() { context_->release(); }
    Cell(const Cell&) = delete;
    Cell& operator=(const Cell&) = delete;

    void run() {
        if (phase_ == Phase::waiting) block();
        if (phase_ != Phase::turn && phase_ != Phase::waiting) context_->hold();
        ask();
        advance();
        inflict();
        finish();
        check();
    }

  private:
    [[nodiscard]] End expected() const {
        // The GL thread was looking at the signalled fence when the device was closed: what it finds still counts.
        if (failure_ == Failure::closed && phase_ == Phase::signalled && !attached) return End::values;
        return contract[static_cast<std::size_t>(failure_)][static_cast<std::size_t>(phase_)];
    }
    [[nodiscard]] bool isReached(const std::function<bool(const stile::DeviceStats&)>& holds) const {
        return holds(device_->stats());
    }
    /// Runs the loop, one function at a time, until the device has come so far.
    void runUntil(const char* what, const std::function<bool(const stile::DeviceStats&)>& holds) {
        waitFor(what, [&] {
            if (isReached(holds)) return true;
            loop_->restart();
            loop_->poll_one();
            return isReached(holds);
        });
    }

    /// Work before it, whose fence is pending, so that what comes waits its turn.
    void block() {
        context_->hold();
        // Of another size, so that it leaves no memory that fits.
        before_.emplace((stile::ones({5000}) + 1.0F).data(asio::use_future));
        runUntil("the work before is in flight", [](const auto& s) { return s.fencesInFlight == 1; });
    }

    void ask() {
        tensor_.emplace(work());
        // Long enough to get to its phase where it has to end with values.
        if (failure_ == Failure::deadline) deadline_ = phase_ == Phase::delivering ? 1s : 50ms;
        const stile::DownloadOptions options{.deadline = deadline_};
        const auto handler = [this] {
            return asio::bind_cancellation_slot(signal_.slot(), asio::bind_executor(loop_->get_executor(), Handler(fate_)));
        };
        asked_ = std::chrono::steady_clock::now();
        switch (kind_) {
            case Kind::data: tensor_->data(options, handler()); break;
            case Kind::dataInto: tensor_->dataInto(std::span<float>(memory_), options, handler()); break;
            case Kind::map: tensor_->map(options, handler()); break;
        }
    }

    /// To its phase.
    void advance() {
        switch (phase_) {
            case Phase::turn: return;
            case Phase::waiting:
                runUntil("it waits its turn", [](const auto& s) { return s.requestsWaiting == 1; });
                // In the device's queue, not only in its inbox.
                loop_->restart();
                loop_->poll();
                return;
            default: break;
        }
        runUntil("its fence is in flight", [](const auto& s) { return s.fencesInFlight == 1; });
        if (phase_ == Phase::pending) return;
        if (phase_ == Phase::signalled) {
            if (!attached) {
                context_->freeze();
                waitFor("the GL thread looks at the fence", [this] { return context_->isFrozen(); });
            }
            return;
        }
        context_->release();
        if (attached) {
            runUntil("its fence has signalled", [](const auto& s) { return s.fencesInFlight == 0; });
        } else {
            // Whatever is asked for later is settled later.
            work().data(asio::use_future).get();
        }
        BOOST_TEST(fate_.calls == 0);
    }

    void inflict() {
        switch (failure_) {
            case Failure::cancelled: signal_.emit(asio::cancellation_type::terminal); break;
            case Failure::deadline: std::this_thread::sleep_until(asked_ + deadline_ + 5ms); break;
            case Failure::dropped: tensor_.reset(); break;
            case Failure::closed: close(); break;
            case Failure::loopGone: loop_.reset(); break;
            case Failure::lost: context_->lose(); break;
            case Failure::allocation: {
                Script script;
                for (int i = 1; i <= 100; ++i) script.failingAllocations.insert(i);
                context_->set(script);
                break;
            }
            case Failure::shader: context_->set({.failingShaders = {1}}); break;
            case Failure::fence: {
                Script script;
                // Either it cannot be made, or looking at it fails.
                const bool made = phase_ != Phase::turn && phase_ != Phase::waiting;
                if (made) {
                    script.failingCalls["glClientWaitSync"].insert(1);
                } else {
                    script.failingCalls["glFenceSync"].insert(1);
                }
                context_->set(script);
                break;
            }
        }
    }

    /// Waits for the GL thread, which may be standing in a look at a fence.
    void close() {
        std::thread closing([this] {
            if (!attached) device_->close();
        });
        if (attached) device_->close();
        waitFor("it closes", [this] { return !device_->isOpen(); });
        if (phase_ == Phase::signalled) context_->release();
        closing.join();
    }

    void finish() {
        // A cancelled or late operation ends while its fence is still pending.
        const bool early = expected() == End::aborted || expected() == End::timedOut;
        if (!early) context_->release();
        if (!loop_) return;
        waitFor("it ends", [this] {
            loop_->restart();
            loop_->poll();
            return fate_.calls > 0;
        });
        context_->release();
    }

    void check() {
        const End end = expected();
        BOOST_TEST(fate_.alive == 0);
        BOOST_TEST(fate_.calls == (end == End::destroyed ? 0 : 1));
        BOOST_TEST(fate_.error == codeOf(end));
        const bool succeeded = end == End::values;
        if (kind_ == Kind::dataInto) {
            const bool written = succeeded || (failure_ == Failure::loopGone && phase_ == Phase::delivering);
            BOOST_TEST(memory_ == (written ? roots : untouched), boost::test_tools::per_element());
        } else if (succeeded) {
            BOOST_TEST(fate_.values == roots, boost::test_tools::per_element());
        } else {
            BOOST_TEST(fate_.values.empty());
        }
        if (fate_.calls > 0) BOOST_CHECK(fate_.calledOn == std::this_thread::get_id());
        if (device_->isOpen() && loop_ && failure_ != Failure::lost) others();
        leftovers();
    }

    /// Others are unharmed: a new operation gets its values, and so does the same tensor's next download.
    void others() {
        context_->set({});
        for (const Tensor& next : {tensor_.value_or(work()), work()}) {
            Fate fate;
            next.data(asio::bind_executor(loop_->get_executor(), Handler(fate)));
            waitFor("the next one ends", [&] {
                loop_->restart();
                loop_->poll();
                return fate.calls > 0;
            });
            BOOST_TEST(!fate.error);
            BOOST_TEST(fate.values == roots, boost::test_tools::per_element());
        }
        BOOST_TEST(device_->stats().fencesInFlight == 0);
        BOOST_TEST(device_->stats().requestsWaiting == 0);
        BOOST_TEST(device_->memory().leased == 0U);
    }

    void leftovers() {
        tensor_.reset();
        if (before_ && device_->isOpen()) waitForBefore();
        device_->close();
        BOOST_TEST(device_->memory().tensors == 0);
        BOOST_TEST(device_->memory().leased == 0U);
        // A lease that outlived its device has kept its buffer, which goes with the context.
        const bool outlived = kind_ == Kind::map && failure_ == Failure::closed && expected() == End::values;
        BOOST_TEST(context_->objects().total() == (outlived ? 1 : 0));
        // Whatever the loop still holds comes too late.
        if (loop_) {
            loop_->restart();
            loop_->poll();
        }
        BOOST_TEST(fate_.calls <= 1);
    }

    void waitForBefore() {
        if (!loop_ && attached) return;  // its loop is gone, so nobody looks at its fence
        waitFor("the work before ends", [this] {
            if (loop_) {
                loop_->restart();
                loop_->poll();
            }
            return before_->wait_for(0s) == std::future_status::ready;
        });
    }

    const Failure failure_;
    const Phase phase_;
    const Kind kind_;
    std::shared_ptr<stile::testing::ScriptedContext> context_;
    std::optional<asio::io_context> loop_{std::in_place, 1};
    std::optional<stile::Device> device_;
    std::optional<Tensor> tensor_;
    std::optional<std::future<std::vector<float>>> before_;
    asio::cancellation_signal signal_;
    std::array<float, 4> memory_ = untouched;
    Fate fate_;
    std::chrono::nanoseconds deadline_{0};
    std::chrono::steady_clock::time_point asked_;
};

bool makeTests() {
    stile::setLogLevel(stile::LogLevel::off);  // each loss and each attached device has something to say
    std::size_t cells = 0;
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        for (std::size_t failure = 0; failure < failures.size(); ++failure) {
            for (std::size_t phase = 0; phase < phases.size(); ++phase) {
                const std::string name = std::string(kinds[kind]) + ": " + failures[failure] + ", " + phases[phase];
                boost::unit_test::framework::master_test_suite().add(boost::unit_test::make_test_case(
                    [=] { Cell(static_cast<Failure>(failure), static_cast<Phase>(phase), static_cast<Kind>(kind)).run(); },
                    name, __FILE__, __LINE__));
                ++cells;
            }
        }
    }
    std::cout << cells << " cells: " << failures.size() << " failures x " << phases.size() << " phases x " << kinds.size()
              << " kinds of downloads, " << (attached ? "attached" : "with a GL thread") << std::endl;
    return true;
}

}  // namespace

int main(int argc, char** argv) { return boost::unit_test::unit_test_main(&makeTests, argc, argv); }
