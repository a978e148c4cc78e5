#include "kernels/tile.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace stile::kernels {
namespace {

constexpr std::string_view kind = "product";

/// For results that large tiles would leave too few invocations.
constexpr Tile small{.name = "4x4", .file = "product.comp", .rows = 4, .quads = 1};

/// The default of software renderers first, which have shared memory in name only; that of hardware second.
constexpr std::array large{
    Tile{.name = "16x8", .file = "product.comp", .rows = 16, .quads = 2},
    Tile{.name = "shared", .file = "product_shared.comp", .rows = 8, .quads = 2, .side = 64},
    Tile{.name = "8x4", .file = "product.comp", .rows = 8, .quads = 1},
};

/// Runs what may be the fastest here on a product that takes a few milliseconds; Tuning hears of it.
void measure(gl::Gpu& gpu, const Tile& standard) {
    const bool slow = gpu.driver.loadPath == gl::LoadPath::storage;  // on a software renderer
    const std::int64_t side = !gpu.driver.software ? 1024 : slow ? 128 : 256;
    const Shape shape{side, side};
    const auto square = [&] { return Operand{scratch(gpu, shape.size()), shape, DType::float32}; };
    const Product trial{.a = square(), .b = square(), .c = square(), .m = side, .n = side, .k = side};
    const Operand nothing{trial.c.buffer, {0, 0}, DType::float32};
    copyMatrices(gpu, nothing, trial.a);
    copyMatrices(gpu, nothing, trial.b);
    const auto mark = [&](std::string_view candidate) {
        then(gpu, [&gpu, name = std::string(candidate)] { gpu.tuning.mark(kind, name); });
    };
    for (const Tile* tile : {&standard, &large[2]}) {
        multiply(gpu, trial, *tile);  // the first run compiles
        mark("");
        for (int run = 0; run < 3; ++run) {
            multiply(gpu, trial, *tile);
            mark(tile->name);
        }
    }
    then(gpu, [&gpu] { gpu.tuning.end(kind); });
}

}  // namespace

const Tile& tileFor(gl::Gpu& gpu, const Product& p) {
    constexpr std::int64_t worthLarge = std::int64_t{1} << 22, worthMeasuring = std::int64_t{1} << 27;
    const bool isWide = p.k % 4 == 0 && p.n % 4 == 0;
    if (!isWide || p.m < 8 || p.multiplications() < worthLarge) return small;
    const auto* const chosen = std::ranges::find(large, gpu.tuning.chosen(kind), &Tile::name);
    if (chosen != large.end()) return *chosen;
    const Tile& standard = gpu.driver.software ? large[0] : large[1];
    if (p.multiplications() >= worthMeasuring && !gpu.hostKernel && !gpu.rehearsals && gpu.tuning.begin(kind))
        measure(gpu, standard);
    return standard;
}

}  // namespace stile::kernels
