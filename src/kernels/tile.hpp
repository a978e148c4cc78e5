#pragma once

#include <cstdint>
#include <string_view>

#include "gl/gpu.hpp"
#include "kernels/product.hpp"

namespace stile::kernels {

/// How the kernels of products cut up a result.
struct Tile {
    std::string_view name;
    std::string_view file;  ///< below shaders/
    int rows = 0;           ///< that an invocation computes
    int quads = 0;          ///< of columns
    int side = 0;  ///< rows and columns of a work group's tile, whose operands go through shared memory; 0: it has none
};

/// The tile for a product: of two that a driver uses, one for small results. Each is a program, other sizes are none. The first large
/// product has the candidates measured, for those after it.
[[nodiscard]] const Tile& tileFor(gl::Gpu& gpu, const Product& product);

}  // namespace stile::kernels
