#pragma once

#include <cstdint>

#include "kernels/kernels.hpp"

namespace stile::kernels {

/// c [batches, m, n] = a [batches, m, k] × b [batches, k, n], where the operands' leading axes may be stretched. A convolution is such
/// a product for each place of its window: see shaders/lib/product.glsl.
struct Product {
    Operand a, b, c;
    std::int64_t batches = 1, m = 0, n = 0, k = 0;
    const prim::Conv2d* convolution = nullptr;  ///< a are NHWC images, b filters
    const Expression* epilogue =
        nullptr;  ///< what is made of c before it is written; c has its own dtype and shape before that

    [[nodiscard]] std::int64_t taps() const { return convolution ? convolution->window.height * convolution->window.width : 1; }
    /// How many numbers are multiplied.
    [[nodiscard]] std::int64_t multiplications() const { return batches * m * n * k * taps(); }
};

struct Tile;

void multiply(gl::Gpu& gpu, const Product& what);
/// With a tile of the caller's choice, of operands in whole quads where it needs them.
void multiply(gl::Gpu& gpu, const Product& what, const Tile& tile);
/// Copies matrices into those of another size: zeros behind rows and columns, or what stands there left out.
void copyMatrices(gl::Gpu& gpu, const Operand& from, const Operand& to);

}  // namespace stile::kernels
