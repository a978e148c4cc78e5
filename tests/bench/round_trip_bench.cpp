#include <benchmark/benchmark.h>

#include <asio/awaitable.hpp>
#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/io_context.hpp>

#include <stile/stile.hpp>

namespace {

asio::awaitable<void> roundTrips(benchmark::State& state, std::int64_t elements) {
    const stile::Tensor x = stile::range(0, static_cast<double>(elements));
    float shift = 0;
    for (auto _ : state) {
        const stile::Tensor y = x + stile::Tensor(shift);
        benchmark::DoNotOptimize(co_await y.data());
        shift += 1;
    }
    state.SetBytesProcessed(state.iterations() * elements * 4);
}

/// One small operation and the download of its result, on a loop.
void roundTrip(benchmark::State& state) {
    const stile::Device device = stile::Device::open();
    asio::io_context loop;
    asio::co_spawn(loop, roundTrips(state, state.range(0)), asio::detached);
    loop.run();
}
BENCHMARK(roundTrip)->Arg(4)->Arg(1 << 10)->Arg(1 << 20)->UseRealTime();

}  // namespace
