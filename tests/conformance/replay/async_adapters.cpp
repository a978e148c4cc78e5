#include <asio/use_awaitable.hpp>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include <stile/stile.hpp>

#include "async_table.hpp"

namespace replay {
namespace {

using asio::awaitable;
using stile::DType;
using stile::Tensor;

/// What is awaited is named first, as are results with braces: g++ 12 destroys such temporaries twice.
Results named(const char* first, const Tensor& a, const char* second, const Tensor& b) {
    return Results::Members{{first, a}, {second, b}};
}
Results listed(const Tensor& a, const Tensor& b) { return std::vector<Tensor>{a, b}; }
Results bytes(const std::vector<std::uint8_t>& values) { return HostValues{"Uint8ClampedArray", stile::tensor(values)}; }

awaitable<Results> where(Arguments a) {
    const Tensor found = co_await stile::whereAsync(a[0].tensor(DType::boolean));
    co_return found;
}

awaitable<Results> booleanMask(Arguments a) {
    const Tensor kept = co_await stile::booleanMaskAsync(a[0].tensor(), a[1].tensor(DType::boolean), a[2].axis(0));
    co_return kept;
}

awaitable<Results> setdiff1d(Arguments a) {
    const stile::Difference found = co_await stile::setdiff1dAsync(a[0].tensor(), a[1].tensor());
    co_return listed(found.values, found.indices);
}

awaitable<Results> unique(Arguments a) {
    const stile::Unique found = co_await stile::uniqueAsync(a[0].tensor(), a[1].axis(0));
    co_return named("values", found.values, "indices", found.indices);
}

awaitable<Results> inTopK(Arguments a) {
    const Tensor found = co_await stile::inTopKAsync(a[0].tensor(), a[1].tensor(), a[2].integer(1));
    co_return found;
}

awaitable<Results> toPixels(Arguments a) {
    const std::vector<std::uint8_t> pixels = co_await stile::browser::toPixels(a[0].tensor());
    co_return bytes(pixels);
}

template <class T>
awaitable<std::string> text(Tensor x, bool verbose) {
    const stile::NdArray<T> values = co_await x.array<T>();
    co_return stile::toString(values, verbose);
}

awaitable<Results> tensorToString(Arguments a) {
    const Tensor x = a[0].tensor();
    const bool verbose = a[1].flag(false);
    std::string out;
    switch (x.dtype()) {
        case DType::float32: out = co_await text<float>(x, verbose); break;
        case DType::int32: out = co_await text<std::int32_t>(x, verbose); break;
        case DType::boolean: out = co_await text<bool>(x, verbose); break;
        case DType::complex64: out = co_await text<std::complex<float>>(x, verbose); break;
        case DType::string: out = co_await text<std::string>(x, verbose); break;
    }
    co_return out;
}

const std::vector<AsyncRow> rows{
    {"whereAsync", where},   {"booleanMaskAsync", booleanMask}, {"setdiff1dAsync", setdiff1d},       {"unique", unique},
    {"inTopKAsync", inTopK}, {"browser.toPixels", toPixels},    {"Tensor.toString", tensorToString},
};

}  // namespace

const AsyncRow* findAsyncRow(std::string_view op) {
    const auto found = std::ranges::find(rows, op, &AsyncRow::op);
    return found == rows.end() ? nullptr : &*found;
}

}  // namespace replay
