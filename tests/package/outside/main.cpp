// A program of somebody who has installed the library.
#include <asio.hpp>

#include <iostream>

#include <stile/stile.hpp>

asio::awaitable<void> app() {
    const stile::Tensor a = stile::tensor({{1, 4}, {9, 16}});
    std::cout << co_await stile::sqrt(a).array() << '\n';
}

int main() {
    asio::io_context loop;
    const stile::Device device = stile::Device::open();
    asio::co_spawn(loop, app(), [](std::exception_ptr error) {
        if (error) std::rethrow_exception(error);
    });
    loop.run();
}
