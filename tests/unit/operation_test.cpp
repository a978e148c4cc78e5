#define BOOST_TEST_MODULE operation
#include <boost/test/unit_test.hpp>

#include <asio/bind_executor.hpp>
#include <asio/cancellation_signal.hpp>
#include <asio/io_context.hpp>
#include <asio/strand.hpp>
#include <asio/system_executor.hpp>

#include <memory>
#include <optional>
#include <thread>
#include <tuple>
#include <vector>

#include "stile/detail/operation.hpp"

using namespace std::chrono_literals;
namespace detail = stile::detail;

namespace {

/// What became of a handler: how often it was called and destroyed, with what, and on which thread.
struct Fate {
    int calls = 0;
    int alive = 0;
    std::exception_ptr error;
    int value = 0;
    std::thread::id calledOn, destroyedOn;
    std::size_t allocated = 0;
    std::size_t allocatedAtCall = 0;
};

/// Counts the bytes that it has given out.
template <class T>
struct CountingAllocator {
    using value_type = T;
    Fate* fate;
    explicit CountingAllocator(Fate* f) noexcept : fate(f) {}
    template <class U>
    CountingAllocator(const CountingAllocator<U>& other) noexcept : fate(other.fate) {}
    T* allocate(std::size_t count) {
        fate->allocated += count * sizeof(T);
        return std::allocator<T>{}.allocate(count);
    }
    void deallocate(T* memory, std::size_t count) noexcept {
        fate->allocated -= count * sizeof(T);
        std::allocator<T>{}.deallocate(memory, count);
    }
    bool operator==(const CountingAllocator&) const = default;
};

struct Handler {
    using executor_type = asio::io_context::executor_type;
    using cancellation_slot_type = asio::cancellation_slot;
    using allocator_type = CountingAllocator<void>;

    Handler(Fate& f, asio::io_context& loop, asio::cancellation_slot slot = {})
        : fate(&f), executor(loop.get_executor()), cancellation(slot) {
        ++fate->alive;
    }
    Handler(Handler&& other) noexcept : fate(other.fate), executor(other.executor), cancellation(other.cancellation) {
        ++fate->alive;
    }
    ~Handler() {
        fate->destroyedOn = std::this_thread::get_id();
        --fate->alive;
    }
    Handler& operator=(Handler&&) = delete;

    [[nodiscard]] executor_type get_executor() const noexcept { return executor; }
    [[nodiscard]] cancellation_slot_type get_cancellation_slot() const noexcept { return cancellation; }
    [[nodiscard]] allocator_type get_allocator() const noexcept { return allocator_type(fate); }

    void operator()(std::exception_ptr error, int value) {
        ++fate->calls;
        fate->error = error;
        fate->value = value;
        fate->calledOn = std::this_thread::get_id();
        fate->allocatedAtCall = fate->allocated;
    }

    Fate* fate;
    executor_type executor;
    asio::cancellation_slot cancellation;
};

/// The first byte of the first value.
struct FirstByte {
    std::tuple<int> operator()(const detail::Outcome& outcome) const {
        if (outcome.values.empty()) throw stile::Error(stile::errc::gl_error, "no values");
        return {static_cast<int>(outcome.values[0][0])};
    }
};
using Op = detail::Operation<Handler, FirstByte>;

std::shared_ptr<Op> start(Handler handler, std::chrono::nanoseconds deadline = {}) {
    const auto executor = asio::get_associated_executor(handler);
    auto op = std::make_shared<Op>(std::move(handler), executor, FirstByte{}, "test");
    BOOST_TEST_REQUIRE(op->start());
    if (deadline > deadline.zero()) op->arm({.after = deadline, .message = "the call's deadline"});
    return op;
}

void settle(Op& op, int value) {
    const std::byte bytes{static_cast<unsigned char>(value)};
    const detail::RawValues values(&bytes, 1);
    op.settle({.values = {&values, 1}});
}

std::error_code codeOf(const std::exception_ptr& error) {
    try {
        if (error) std::rethrow_exception(error);
    } catch (const stile::Error& e) {
        return e.code();
    }
    return {};
}

}  // namespace

BOOST_AUTO_TEST_CASE(settling_posts_the_handler_once_and_never_calls_it_inline) {
    Fate fate;
    asio::io_context loop;
    auto op = start(Handler(fate, loop));
    std::thread([&] { settle(*op, 7); }).join();
    BOOST_TEST(fate.calls == 0);
    settle(*op, 8);
    loop.run();
    BOOST_TEST(fate.calls == 1);
    BOOST_TEST(fate.value == 7);
    BOOST_TEST((fate.calledOn == std::this_thread::get_id()));
    BOOST_TEST(fate.alive == 0);
}

BOOST_AUTO_TEST_CASE(a_pending_operation_keeps_the_loop_running) {
    Fate fate;
    asio::io_context loop;
    auto op = start(Handler(fate, loop));
    loop.run_for(20ms);
    BOOST_TEST(!loop.stopped());
    std::thread later([&] {
        std::this_thread::sleep_for(20ms);
        settle(*op, 1);
    });
    loop.run();
    later.join();
    BOOST_TEST(fate.calls == 1);
    BOOST_TEST(loop.stopped());
}

BOOST_AUTO_TEST_CASE(the_handlers_memory_is_its_allocators_and_is_free_again_before_the_call) {
    Fate fate;
    asio::io_context loop;
    auto op = start(Handler(fate, loop));
    BOOST_TEST(fate.allocated >= sizeof(Handler));
    settle(*op, 1);
    loop.run();
    BOOST_TEST(fate.allocatedAtCall == 0U);
    BOOST_TEST(fate.allocated == 0U);
}

BOOST_AUTO_TEST_CASE(an_error_of_the_conversion_is_the_completion) {
    Fate fate;
    asio::io_context loop;
    auto op = start(Handler(fate, loop));
    op->settle({});
    loop.run();
    BOOST_TEST(codeOf(fate.error) == make_error_code(stile::errc::gl_error));
}

BOOST_AUTO_TEST_CASE(each_type_of_cancellation_completes_with_operation_aborted) {
    for (const auto type :
         {asio::cancellation_type::terminal, asio::cancellation_type::partial, asio::cancellation_type::total}) {
        Fate fate;
        asio::io_context loop;
        asio::cancellation_signal signal;
        auto op = start(Handler(fate, loop, signal.slot()));
        signal.emit(type);
        BOOST_TEST(fate.calls == 0);
        BOOST_TEST(op->abandoned());
        settle(*op, 1);
        loop.run();
        BOOST_TEST(fate.calls == 1);
        BOOST_TEST(codeOf(fate.error) == std::error_code(asio::error::make_error_code(asio::error::operation_aborted)));
        BOOST_TEST(!signal.slot().has_handler());
    }
}

BOOST_AUTO_TEST_CASE(cancelling_after_completion_changes_nothing) {
    Fate fate;
    asio::io_context loop;
    asio::cancellation_signal signal;
    auto op = start(Handler(fate, loop, signal.slot()));
    settle(*op, 3);
    signal.emit(asio::cancellation_type::terminal);
    loop.run();
    signal.emit(asio::cancellation_type::terminal);
    BOOST_TEST(fate.calls == 1);
    BOOST_TEST(fate.value == 3);
    BOOST_TEST(!fate.error);
}

BOOST_AUTO_TEST_CASE(a_signal_that_outlives_operation_and_loop_finds_nothing) {
    Fate fate;
    asio::cancellation_signal signal;
    {
        asio::io_context loop;
        auto op = start(Handler(fate, loop, signal.slot()));
    }
    signal.emit(asio::cancellation_type::terminal);
    BOOST_TEST(fate.calls == 0);
    BOOST_TEST(fate.alive == 0);
}

BOOST_AUTO_TEST_CASE(a_deadline_completes_with_timed_out_and_leaves_no_timer) {
    Fate fate;
    asio::io_context loop;
    auto op = start(Handler(fate, loop), 5ms);
    loop.run();
    BOOST_TEST(fate.calls == 1);
    BOOST_TEST(codeOf(fate.error) == make_error_code(stile::errc::timed_out));

    Fate early;
    auto second = start(Handler(early, loop), 1h);
    settle(*second, 2);
    loop.restart();
    loop.run();  // would last an hour if the timer were left
    BOOST_TEST(early.value == 2);
}

BOOST_AUTO_TEST_CASE(a_context_that_dies_first_destroys_the_handler_uncalled_on_its_own_thread) {
    Fate fate;
    std::shared_ptr<Op> op;
    {
        asio::io_context loop;
        op = start(Handler(fate, loop), 1h);
    }
    BOOST_TEST(fate.alive == 0);
    BOOST_TEST(fate.allocated == 0U);
    std::thread([&] {
        settle(*op, 1);
        op.reset();
    }).join();
    BOOST_TEST(fate.calls == 0);
    BOOST_TEST((fate.destroyedOn == std::this_thread::get_id()));
}

BOOST_AUTO_TEST_CASE(a_posted_completion_dies_with_its_context) {
    Fate fate;
    std::shared_ptr<Op> op;
    {
        asio::io_context loop;
        op = start(Handler(fate, loop));
        std::thread([&] { settle(*op, 1); }).join();
    }
    BOOST_TEST(fate.alive == 0);
    BOOST_TEST(fate.calls == 0);
    BOOST_TEST((fate.destroyedOn == std::this_thread::get_id()));
}

BOOST_AUTO_TEST_CASE(an_operation_that_nobody_settles_leaves_the_registry) {
    Fate fate;
    asio::io_context loop;
    start(Handler(fate, loop)).reset();
    BOOST_TEST(fate.alive == 0);
    BOOST_TEST(loop.run() == 0U);
}

BOOST_AUTO_TEST_CASE(settling_races_with_the_end_of_the_context) {
    for (int round = 0; round < 500; ++round) {
        std::vector<Fate> fates(8);
        auto loop = std::make_unique<asio::io_context>();
        std::vector<std::shared_ptr<Op>> ops;
        for (Fate& fate : fates) ops.push_back(start(Handler(fate, *loop)));
        std::thread settler([&] {
            for (auto& op : ops) {
                settle(*op, 1);
                op.reset();
            }
        });
        loop->poll();
        loop.reset();
        settler.join();
        for (const Fate& fate : fates) {
            BOOST_TEST_REQUIRE(fate.alive == 0);
            BOOST_TEST_REQUIRE(fate.calls <= 1);
        }
    }
}

BOOST_AUTO_TEST_CASE(cancelling_races_with_settling_and_one_of_them_wins) {
    for (int round = 0; round < 500; ++round) {
        Fate fate;
        asio::io_context loop;
        asio::cancellation_signal signal;
        auto op = start(Handler(fate, loop, signal.slot()));
        std::thread settler([&] { settle(*op, 5); });
        signal.emit(asio::cancellation_type::total);
        settler.join();
        loop.run();
        BOOST_TEST_REQUIRE(fate.calls == 1);
        BOOST_TEST_REQUIRE((fate.error == nullptr) == (fate.value == 5));
    }
}
