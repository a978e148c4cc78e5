// Runs every shader file in every variant of its defines, and every row of the element-wise table, for shaders.py to look at.
#include <complex>
#include <cstdint>
#include <cstdio>
#include <string>

#include <stile/device.hpp>
#include <stile/error.hpp>
#include <stile/tensor.hpp>

#include "every_operation.hpp"

using namespace stile;

namespace {

int downloads = 0;

void get(const Tensor& x) {
    ++downloads;
    switch (x.dtype()) {
        case DType::float32: (void)x.dataSync<float>(); break;
        case DType::int32: (void)x.dataSync<std::int32_t>(); break;
        case DType::boolean: (void)x.dataSync<bool>(); break;
        case DType::complex64: (void)x.dataSync<std::complex<float>>(); break;
        case DType::string: (void)x.dataSync<std::string>(); break;
    }
}

}  // namespace

int main() {
    try {
        const Device device = Device::open({.debug = true, .diskCache = false, .sync = SyncPolicy::allow});
        test::everyOperation(get);
        const DeviceStats stats = device.stats();
        std::printf("%d downloads, %lld programs\n", downloads, static_cast<long long>(stats.compiled));
        return stats.debugErrors == 0 ? 0 : 1;
    } catch (const Error& e) {
        std::printf("%s\n", e.what());
        return 1;
    }
}
