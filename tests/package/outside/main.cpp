// A program of somebody who has installed the library: it touches what is defined in the library in each way.
#include <asio.hpp>

#include <iostream>

#include <stile/stile.hpp>

asio::awaitable<void> app() {
    const stile::Tensor a = stile::tensor({{1, 4}, {9, 16}});
    std::cout << co_await stile::sqrt(a).array() << std::endl;
    const stile::Tensor b = stile::tensor(std::vector<float>(3, 2.0F));
    co_await stile::sum(b).print();
    const stile::SyncGuard quiet(stile::SyncPolicy::allow);
    std::cout << stile::tensor(std::vector<std::int32_t>(1, 7)).arraySync<std::int32_t>()
              << stile::equal(a, 4.0F).dataSync<bool>()[1] << std::endl;
}

int main() {
    asio::io_context loop;
    const stile::Device device = stile::Device::open();
    asio::co_spawn(loop, app(), [](std::exception_ptr error) {
        if (error) std::rethrow_exception(error);
    });
    loop.run();
}
