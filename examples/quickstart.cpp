#include <asio.hpp>

#include <exception>
#include <iostream>

#include <stile/stile.hpp>

asio::awaitable<void> app() {
    stile::Tensor a = stile::tensor({{1, 4}, {9, 16}});  // lives on the CPU
    stile::Tensor b = stile::sqrt(a);                    // recorded; a is uploaded when this runs
    stile::NdArray<float> c = co_await b.array();        // downloaded; the loop keeps turning
    std::cout << c << '\n';                              // [[1, 2], [3, 4]]
}

int main() {
    asio::io_context loop;
    stile::Device device = stile::Device::open();  // headless GL on a thread of its own
    asio::co_spawn(loop, app(), [](std::exception_ptr error) {
        if (error) std::rethrow_exception(error);
    });
    loop.run();
}
