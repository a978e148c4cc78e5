#include "kernels/tile.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace stile::kernels {
namespace {

/// For results that large tiles would leave too few invocations.
constexpr Tile small{.name = "4x4", .file = "product.comp", .rows = 4, .quads = 1};

/// The default of a software renderer first, which has shared memory in name only; that of hardware second.
constexpr std::array large{
    Tile{.name = "16x8", .file = "product.comp", .rows = 16, .quads = 2},
    Tile{.name = "shared", .file = "product_shared.comp", .rows = 8, .quads = 2, .side = 64},
    Tile{.name = "8x4", .file = "product.comp", .rows = 8, .quads = 1},
};

}  // namespace

const Tile& tileFor(const gl::Gpu& gpu, const Product& p) {
    constexpr std::int64_t worthLarge = std::int64_t{1} << 22;
    const bool isWide = p.k % 4 == 0 && p.n % 4 == 0;
    if (!isWide || p.m < 8 || p.multiplications() < worthLarge) return small;
    const char* text = std::getenv("STILE_TUNING");
    const auto* const named = std::ranges::find(large, std::string_view(text ? text : ""), &Tile::name);
    if (named != large.end()) return *named;
    return gpu.driver.software ? large[0] : large[1];
}

}  // namespace stile::kernels
