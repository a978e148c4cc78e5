#include <cstddef>
#include <utility>
#include <vector>

#include <stile/stile.hpp>

#include "memory_bound.hpp"
#include "raw_gl.hpp"
#include "row.hpp"
#include "session.hpp"

namespace bench {
namespace {

using stile::Tensor;
constexpr std::int64_t large = std::int64_t{16} << 20;  // floats: 64 MiB
constexpr std::size_t largeBytes = static_cast<std::size_t>(large) * sizeof(float);
constexpr int scalars = 1000;

asio::awaitable<double> byData(const Tensor& x) {
    const auto start = Clock::now();
    const std::vector<float> values = co_await x.data();
    co_return millisecondsSince(start);
}

asio::awaitable<double> byMap(const Tensor& x) {
    const auto start = Clock::now();
    const stile::Mapped<float> values = co_await x.map();
    co_return millisecondsSince(start);
}

/// From the user's memory until a kernel has read it.
asio::awaitable<double> upload() {
    std::vector<float> values(static_cast<std::size_t>(large), 1.0F);
    const auto start = Clock::now();
    const Tensor x = stile::tensor(std::move(values));
    const Tensor first = stile::slice(x, {0}, {4}) + 1.0F;
    (void)co_await first.data();
    co_return millisecondsSince(start);
}

asio::awaitable<double> together(const std::vector<Tensor>& each) {
    const auto start = Clock::now();
    const std::vector<std::vector<float>> values = co_await stile::data(each);
    co_return millisecondsSince(start);
}

/// A row of one kind of transfer of some tensors that have been computed before.
Row row(const char* name, std::function<std::vector<Tensor>()> make,
        std::function<asio::awaitable<double>(std::vector<Tensor>&)> once, std::function<Bound()> boundOf) {
    return {name, [=](const Effort& effort) {
                Session session;
                std::vector<Tensor> values = make();
                compute(session, values);
                const Bound bound = boundOf();
                const Side ours = awaited(session, [&] { return once(values); });
                const auto [median, boundMedian] = compare(ours, bound.side, effort);
                return Figures{median, boundMedian, bound.of};
            }};
}

}  // namespace

std::vector<Row> transferRows() {
    const auto copy = [] { return Bound{"memcpy, fresh", copyIntoFresh(largeBytes)}; };
    const auto one = [] { return std::vector<Tensor>{stile::randomUniform({large}, 0, 1, 1)}; };
    const auto many = [] {
        std::vector<Tensor> out;
        for (int i = 0; i < scalars; ++i) out.push_back(stile::randomUniform({}, 0, 1, static_cast<std::uint64_t>(i)));
        return out;
    };
    return {
        row(
            "64 MB by data", one, [](auto& x) { return byData(x[0]); }, copy),
        row(
            "64 MB by map", one, [](auto& x) { return byMap(x[0]); }, copy),
        row(
            "64 MB uploaded", [] { return std::vector<Tensor>{}; }, [](auto&) { return upload(); }, copy),
        row(
            "1000 scalars at once", many, [](auto& x) { return together(x); },
            [] { return Bound{"raw GL", rawScalars(scalars)}; }),
    };
}

}  // namespace bench
