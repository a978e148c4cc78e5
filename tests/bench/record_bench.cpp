#include <benchmark/benchmark.h>

#include <stile/stile.hpp>

namespace {

/// What an operation costs the thread that calls it: argument checks, a node, and its release. Nothing runs.
void recordAdd(benchmark::State& state) {
    const stile::Tensor a = stile::ones({16}), b = stile::ones({16});
    for (auto _ : state) benchmark::DoNotOptimize(stile::add(a, b));
}
BENCHMARK(recordAdd);

/// The same with operands that are bound to a device, which is told of each.
void recordOnDevice(benchmark::State& state) {
    const stile::Device device = stile::Device::open();
    const stile::Tensor a = stile::ones({16}).on(device), b = stile::ones({16}).on(device);
    for (auto _ : state) benchmark::DoNotOptimize(stile::add(a, b));
}
BENCHMARK(recordOnDevice);

/// A chain, as programs record them; its release is part of it.
void recordChain(benchmark::State& state) {
    const stile::Tensor one = stile::ones({16});
    for (auto _ : state) {
        stile::Tensor x = one;
        for (int i = 0; i < 1000; ++i) x = stile::add(x, one);
        benchmark::DoNotOptimize(x);
    }
    state.SetItemsProcessed(state.iterations() * 1000);
}
BENCHMARK(recordChain);

}  // namespace
