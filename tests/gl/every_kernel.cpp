// Runs every shader file in every variant of its defines, and every row of the element-wise table, for shaders.py to look at.
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

#include <stile/device.hpp>
#include <stile/error.hpp>
#include <stile/tensor.hpp>

#include "every_operation.hpp"

using namespace stile;

namespace {

int downloads = 0;
long long programs = 0, errors = 0;

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

void run(void (*operations)(const std::function<void(const Tensor&)>&)) {
    const Device device = Device::open({.debug = true, .diskCache = false, .sync = SyncPolicy::allow, .hostKernels = false});
    operations(get);
    programs += device.stats().compiled;
    errors += device.stats().debugErrors;
}

}  // namespace

int main() {
    try {
        run(test::everyOperation);
        // The choices that another driver makes.
        for (const char* tile : {"16x8", "8x4", "shared"}) {
            setenv("STILE_TUNING", tile, 1);
            run(test::everyLargeProduct);
        }
        std::printf("%d downloads, %lld programs\n", downloads, programs);
        return errors == 0 ? 0 : 1;
    } catch (const Error& e) {
        std::printf("%s\n", e.what());
        return 1;
    }
}
