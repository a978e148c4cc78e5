// The same includes and the same kind of code as the other files here, used rightly: this must compile.
#include <asio/awaitable.hpp>
#include <asio/use_future.hpp>

#include <stile/stile.hpp>

asio::awaitable<float> right(const stile::Tensor& a, const stile::Tensor& b) {
    const auto [x, y] = co_await stile::data<float, bool>(a, b);
    const stile::NdArray<std::int32_t> z = co_await a.array<std::int32_t>();
    auto future = a.data(asio::use_future);
    stile::Device device = stile::Device::open();
    const stile::Device moved = std::move(device);
    co_return x[0] + static_cast<float>(z.at(0)) + future.get()[0] + a.arraySync().at(0) + stile::exp(b).dataSync()[0];
}
