#define BOOST_TEST_MODULE mixup
#include <boost/test/unit_test.hpp>

#include <asio/awaitable.hpp>
#include <asio/co_spawn.hpp>
#include <asio/experimental/awaitable_operators.hpp>
#include <asio/io_context.hpp>
#include <asio/steady_timer.hpp>
#include <asio/use_awaitable.hpp>

#include <chrono>
#include <cstdint>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <stile/stile.hpp>

#include "rig.hpp"

// Many downloads at once in little memory, which is reused all the time. Every element says whose it is, so that bytes in the wrong
// place tell where they come from.

using namespace std::chrono_literals;
using namespace asio::experimental::awaitable_operators;
using stile::Tensor;
using test::Rig;
using Ints = std::vector<std::int32_t>;

namespace {

constexpr std::int32_t most = 8192;  ///< elements of a request

std::string owner(std::int32_t value) {
    return "element " + std::to_string(value % most) + " of request " + std::to_string(value / most);
}

struct Checker {
    std::int32_t requests = 0;
    std::int64_t answers = 0, givenUp = 0;
    std::vector<std::string> wrong;

    void check(std::int32_t request, std::int64_t first, std::int64_t size, std::int32_t more, const Ints& got) {
        ++answers;
        if (std::ssize(got) != size) wrong.push_back("request " + std::to_string(request) + " has another size");
        for (std::size_t i = 0; i < got.size(); ++i) {
            const std::int32_t expected = request * most + static_cast<std::int32_t>(first + static_cast<std::int64_t>(i));
            if (got[i] - more == expected) continue;
            wrong.push_back(owner(expected) + " is " + owner(got[i] - more));
            return;
        }
    }
};

asio::awaitable<void> giveUp(std::chrono::microseconds after) {
    asio::steady_timer timer(co_await asio::this_coro::executor, after);
    co_await timer.async_wait(asio::use_awaitable);
}

/// Of fresh values from the host, one of several things: all of them, one row, two results at once, a lease, with a deadline, or
/// nothing because it was cancelled.
asio::awaitable<void> ask(Checker& checker, int count, unsigned seed) {
    std::minstd_rand random(seed);
    for (int turn = 0; turn < count; ++turn) {
        const auto request = ++checker.requests;
        const auto columns = static_cast<std::int64_t>(random() % 64 + 1), rows = static_cast<std::int64_t>(random() % 100 + 2);
        Ints values(static_cast<std::size_t>(rows * columns));
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = request * most + static_cast<std::int32_t>(i);
        const Tensor x = stile::tensor(std::move(values), {rows, columns});
        const Tensor y = x + 1;
        const std::int64_t size = rows * columns;
        switch (random() % 7) {
            case 0: {
                const auto both = co_await stile::data<std::int32_t, std::int32_t>(y, x + 2);
                checker.check(request, 0, size, 1, std::get<0>(both));
                checker.check(request, 0, size, 2, std::get<1>(both));
                break;
            }
            case 1: {
                const std::int64_t row = static_cast<std::int64_t>(random()) % rows;
                const Tensor part = y.slice({row, 0}, {1, columns});
                checker.check(request, row * columns, columns, 1, co_await part.data<std::int32_t>());
                break;
            }
            case 2: {
                // Transposed twice: kernels that cannot be fused.
                const Tensor z = stile::transpose(stile::transpose(y)) + 1;
                checker.check(request, 0, size, 2, co_await z.data<std::int32_t>());
                break;
            }
            case 3: {
                const auto lease = co_await y.map<std::int32_t>();
                checker.check(request, 0, size, 1, Ints(lease.begin(), lease.end()));
                break;
            }
            case 4: {
                const std::chrono::microseconds after(random() % 2000);
                const auto first = co_await (y.data<std::int32_t>() || giveUp(after));
                if (first.index() == 0) {
                    checker.check(request, 0, size, 1, std::get<0>(first));
                } else {
                    ++checker.givenUp;
                }
                break;
            }
            case 5: {
                try {
                    const stile::DownloadOptions soon{.deadline = std::chrono::microseconds(random() % 4000 + 1)};
                    checker.check(request, 0, size, 1, co_await y.data<std::int32_t>(soon));
                } catch (const stile::Error& error) {
                    if (error.code() != stile::errc::timed_out) throw;
                    ++checker.givenUp;
                }
                break;
            }
            default: checker.check(request, 0, size, 1, co_await y.data<std::int32_t>());
        }
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_request_gets_its_own_bytes) {
    constexpr unsigned coroutines = 40;
    constexpr int each = 120;
    Rig rig({.maxFences = 8, .stagingBytes = 1U << 18, .poolBytes = 1U << 18});
    Checker checker;
    unsigned ended = 0;
    for (unsigned i = 0; i < coroutines; ++i) {
        asio::co_spawn(*rig.loop, ask(checker, each, i + 1), [&](const std::exception_ptr& error) {
            ++ended;
            if (error) checker.wrong.push_back(test::wordsOf(error));
        });
    }
    rig.until([&] { return ended == coroutines; });
    BOOST_TEST_MESSAGE(checker.answers << " answers, " << checker.givenUp << " given up");
    for (const std::string& what : checker.wrong) BOOST_TEST_MESSAGE(what);
    BOOST_TEST(checker.wrong.size() == 0U);
    BOOST_TEST(checker.answers >= coroutines * each / 2);
}
