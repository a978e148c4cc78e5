#include <asio.hpp>
#include <asio/experimental/awaitable_operators.hpp>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <stile/stile.hpp>
#include <stile/testing.hpp>

#include "process.hpp"
#include "scripted.hpp"

// soak [--seconds N] [--seed N] [--coroutines N]: coroutines that download, cancel, time out and stream at random, while the device
// is closed and opened, loses its context and comes back, and has its fences held and its calls failing. The seed decides what
// is done (the machine, when). Exit status 0 if every value was right, every operation ended, and nothing is left behind.

namespace {

using namespace std::chrono_literals;
using namespace asio::experimental::awaitable_operators;
using Time = std::chrono::steady_clock;
using stile::errc;
using stile::Tensor;
using Floats = std::vector<float>;

struct Options {
    std::chrono::seconds time{10};
    std::uint64_t seed = 1;
    int coroutines = 32;
};

Options parse(int argc, char** argv) {
    Options options;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string_view name = argv[i];
        const long long value = std::atoll(argv[i + 1]);
        if (name == "--seconds") options.time = std::chrono::seconds(value);
        if (name == "--seed") options.seed = static_cast<std::uint64_t>(value);
        if (name == "--coroutines") options.coroutines = static_cast<int>(value);
    }
    return options;
}

/// The device, and what disturbs it.
struct World {
    explicit World(const Options& o) : options(o), random(o.seed) { open(); }

    void open() {
        context = test::scriptedContext();
        device.emplace(stile::Device::open({.context = context,
                                            .maxFences = 4,
                                            .stagingBytes = 1 << 16,
                                            .poolBytes = 1 << 20,
                                            .maxPrograms = 8,
                                            .diskCache = false}));
        keep();
    }
    /// The last few: those of closed devices have nothing left, but for the buffers of leases that outlive them.
    void keep() {
        contexts.push_back(context);
        if (contexts.size() > 8) contexts.erase(contexts.begin());
    }
    [[nodiscard]] bool goesOn() const { return Time::now() < end; }

    const Options options;
    asio::io_context loop{1};
    std::shared_ptr<stile::testing::ScriptedContext> context;
    std::vector<std::shared_ptr<stile::testing::ScriptedContext>> contexts;
    std::optional<stile::Device> device;
    std::mt19937_64 random;
    Time::time_point end = Time::now() + options.time;

    std::map<std::string, long long> counts;
    long long started = 0, ended = 0, wrong = 0;
    int running = 0;
};

/// A chain of operations whose result is known: every element is the number.
Tensor chain(std::mt19937_64& random, float& number) {
    const std::int64_t size = std::array<std::int64_t, 5>{1, 7, 256, 1000, 5000}[random() % 5];
    number = static_cast<float>(random() % 100);
    Tensor x = stile::fill({size}, number) + 0.0F;
    for (std::uint64_t i = random() % 5; i > 0; --i) {
        switch (random() % 4) {
            case 0:
                x = x + 1.0F;
                number += 1;
                break;
            case 1:
                x = stile::neg(x);
                number = -number;
                break;
            case 2: x = stile::reverse(x); break;
            default: x = stile::concat({x, x}); break;
        }
    }
    if (random() % 4 == 0 && x.size() > 1) x = stile::slice(x, {x.size() / 2}, {1});
    return x;
}

/// Counts how an operation ended, and whether it may end so here.
void ended(World& world, std::string_view kind, const std::error_code& code) {
    ++world.ended;
    ++world.counts[std::string(kind) + ": " + (code ? code.message() : "values")];
    const bool expected = !code || code == asio::error::operation_aborted || code == errc::timed_out ||
                          code == errc::device_closed || code == errc::device_lost || code == errc::no_device ||
                          code == errc::out_of_memory || code == errc::gl_error || code == errc::shader_failed ||
                          code == errc::fence_failed || code == errc::stream_closed;
    if (!expected) ++world.wrong;
}

void expectAll(World& world, const auto& values, float number) {
    for (const float value : values) {
        if (value != number) {
            ++world.wrong;
            std::cout << "wrong: " << value << " in place of " << number << '\n';
            return;
        }
    }
}

asio::awaitable<void> pause(std::chrono::microseconds time) {
    asio::steady_timer timer(co_await asio::this_coro::executor, time);
    co_await timer.async_wait(asio::use_awaitable);
}

/// One download of a random kind.
asio::awaitable<void> download(World& world, std::uint64_t kind, stile::DownloadOptions options) {
    float number = 0;
    std::optional<Tensor> x = chain(world.random, number);
    const auto size = static_cast<std::size_t>(x->size());
    switch (kind) {
        case 0: {
            auto asked = x->data(options);
            x.reset();  // the tensor may go before its values come
            const Floats values = co_await std::move(asked);
            if (values.size() != size) ++world.wrong;
            expectAll(world, values, number);
            break;
        }
        case 1: expectAll(world, (co_await x->array(options)).flat(), number); break;
        case 2: {
            Floats memory(size, -1000.0F);
            co_await x->dataInto(std::span<float>(memory), options);
            expectAll(world, memory, number);
            break;
        }
        case 3: {
            const stile::Mapped<float> lease = co_await x->map(options);
            const auto lifetime = std::chrono::microseconds(world.random() % 3000);
            co_await pause(lifetime);
            expectAll(world, lease.span(), number);
            break;
        }
        case 4: {
            const Tensor other = *x * 2.0F;
            const auto [a, b] = co_await stile::data(*x, other, options);
            expectAll(world, a, number);
            expectAll(world, b, number * 2);
            break;
        }
        default: co_await stile::eval(*x, options); break;
    }
}

asio::awaitable<void> downloader(World& world) {
    constexpr std::array names{"data", "array", "dataInto", "map", "several", "eval"};
    ++world.running;
    while (world.goesOn()) {
        const std::uint64_t kind = world.random() % names.size();
        stile::DownloadOptions options;
        if (world.random() % 8 == 0) options.deadline = std::chrono::microseconds(1 + world.random() % 5000);
        const bool cancels = world.random() % 4 == 0;
        const auto patience = std::chrono::microseconds(world.random() % 4000);
        ++world.started;
        std::error_code code;
        try {
            if (cancels) {
                const auto result = co_await (download(world, kind, options) || pause(patience));
                if (result.index() == 1) code = asio::error::operation_aborted;
            } else {
                co_await download(world, kind, options);
            }
        } catch (const std::system_error& error) {
            code = error.code();
        }
        ended(world, names[kind], code);
        if (code || world.random() % 16 == 0) co_await pause(std::chrono::microseconds(world.random() % 2000));
    }
    --world.running;
}

/// A stream between two coroutines.
asio::awaitable<void> consumer(World& world, stile::Stream<float>& stream, float number) {
    for (;;) {
        try {
            const std::optional<stile::NdArray<float>> value = co_await stream.next();
            ++world.ended;
            if (!value) co_return;
            expectAll(world, value->flat(), number);
            ++world.started;
        } catch (const std::system_error& error) {
            ended(world, "next", error.code());
            ++world.started;
        }
    }
}
asio::awaitable<void> producer(World& world, stile::Stream<float>& stream, float number) {
    for (std::uint64_t i = world.random() % 20; i > 0 && world.goesOn(); --i) {
        const Tensor value = stile::fill({64}, number - 1) + 1.0F;
        ++world.started;
        std::error_code code;
        try {
            co_await stream.push(value);
        } catch (const std::system_error& error) {
            code = error.code();
        }
        ended(world, "push", code);
    }
    stream.close();
}
asio::awaitable<void> streamer(World& world) {
    ++world.running;
    while (world.goesOn()) {
        const auto policy = world.random() % 2 == 0 ? stile::StreamPolicy::everyOne : stile::StreamPolicy::latestWins;
        stile::Stream<float> stream(world.loop.get_executor(), {.inFlight = 1 + world.random() % 3, .policy = policy});
        const auto number = static_cast<float>(world.random() % 50);
        ++world.started;
        co_await (consumer(world, stream, number) && producer(world, stream, number));
    }
    --world.running;
}

/// Closes the device, has its context lost, holds its fences, has its calls fail.
asio::awaitable<void> trouble(World& world) {
    ++world.running;
    const std::vector<std::string> functions = stile::testing::ScriptedContext::functions();
    while (world.goesOn()) {
        co_await pause(std::chrono::milliseconds(1 + world.random() % 20));
        switch (world.random() % 16) {
            case 0:
                ++world.counts["device closed and opened"];
                world.device->close();
                world.open();
                break;
            case 1: {
                ++world.counts["context lost and reopened"];
                world.context->lose();
                co_await pause(std::chrono::microseconds(world.random() % 2000));
                world.context = test::scriptedContext();
                world.keep();
                // Named: g++ 12 destroys such a temporary of a co_await expression twice.
                const stile::ReopenOptions with{.context = world.context};
                try {
                    co_await world.device->reopen(with);
                } catch (const std::system_error& error) {
                    ++world.wrong;
                    std::cout << "reopen: " << error.what() << '\n';
                }
                break;
            }
            case 2:
            case 3:
            case 4:
                ++world.counts["fences held"];
                world.context->hold();
                co_await pause(std::chrono::milliseconds(world.random() % 10));
                world.context->release();
                break;
            case 5:
            case 6: {
                ++world.counts["a call failed"];
                const std::string& function = functions[world.random() % functions.size()];
                world.context->set({.failingCalls = {{function, {1 + static_cast<int>(world.random() % 3)}}}});
                break;
            }
            case 7:
                ++world.counts["an allocation or a shader failed"];
                world.context->set({.failingAllocations = {1}, .failingShaders = {1}});
                break;
            default: break;
        }
    }
    world.context->release();
    world.context->set({});
    --world.running;
}

/// What is left is printed, and counted.
int report(World& world) {
    // Graphs that nobody waits for any more are given up at their next turn.
    const auto isBusy = [&] { return world.device->memory().tensors > 0 || world.device->memory().recorded > 0; };
    for (const auto patience = Time::now() + 5s; isBusy() && Time::now() < patience;) std::this_thread::sleep_for(1ms);
    int left = 0;
    const auto expectZero = [&left](const char* what, auto value) {
        std::cout << "  " << what << ": " << value << '\n';
        left += value != 0;
    };
    std::cout << "left behind:\n";
    const stile::DeviceStats stats = world.device->stats();
    expectZero("fences in flight", stats.fencesInFlight);
    expectZero("requests waiting", stats.requestsWaiting);
    expectZero("bytes on lease", world.device->memory().leased);
    expectZero("tensors on the device", world.device->memory().tensors);
    expectZero("recorded operations", world.device->memory().recorded);
    world.device->close();
    int objects = 0;
    for (const auto& context : world.contexts) objects += context->objects().total() - context->objects().buffers;
    expectZero("GL objects of all contexts, but buffers", objects);
    expectZero("GL objects of the last context", world.context->objects().total());
    expectZero("coroutines", world.running);
    return left;
}

}  // namespace

int main(int argc, char** argv) {
    const Options options = parse(argc, argv);
    stile::setLogLevel(stile::LogLevel::off);
    std::cout << "seed " << options.seed << ", " << options.time.count() << " s, " << options.coroutines << " coroutines\n";
    World world(options);
    for (int i = 0; i < options.coroutines; ++i) asio::co_spawn(world.loop, downloader(world), asio::detached);
    for (int i = 0; i < 2; ++i) asio::co_spawn(world.loop, streamer(world), asio::detached);
    asio::co_spawn(world.loop, trouble(world), asio::detached);

    // A tenth of the time is for warming up.
    world.loop.run_until(Time::now() + options.time / 10);
    const std::size_t before = test::residentBytes();
    world.loop.run_until(world.end + 60s);
    const bool stuck = !world.loop.stopped();

    std::cout << world.started << " operations, " << world.ended << " ended, " << world.wrong << " wrong, "
              << world.started - world.ended << " stuck\n";
    for (const auto& [what, count] : world.counts) std::cout << "  " << count << "  " << what << '\n';
    std::cout << "resident memory " << before / 1024 << " KiB after a tenth, " << test::residentBytes() / 1024
              << " KiB at the end\n";
    const int left = report(world);
    const bool good = !stuck && world.started == world.ended && world.wrong == 0 && left == 0;
    std::cout << (good ? "good" : "NOT GOOD") << std::endl;
    return good ? 0 : 1;
}
