#include <vector>

#include "kernels/product.hpp"

namespace stile::kernels {
namespace {

/// The operand with its last two axes swapped, in memory of its own.
Operand transposed(gl::Gpu& gpu, const Operand& x) {
    std::vector<std::int64_t> extents(x.shape.begin(), x.shape.end());
    std::swap(extents[extents.size() - 2], extents[extents.size() - 1]);
    prim::Strided what{.extents = extents, .strides = std::vector<std::int64_t>(extents.size(), 1)};
    std::int64_t stride = x.shape[-1] * x.shape[-2];
    for (std::size_t i = extents.size() - 2; i-- > 0;) {
        what.strides[i] = stride;
        stride *= extents[i];
    }
    what.strides[extents.size() - 1] = x.shape[-1];
    const Operand out{scratch(gpu, x.shape.size()), Shape(extents), x.dtype};
    run(gpu, what, {&x, 1}, out);
    return out;
}

}  // namespace

void run(gl::Gpu& gpu, const prim::MatMul& what, Operands in, const Operand& out, const Expression* epilogue) {
    const Operand a = what.transposeA ? transposed(gpu, in[0]) : in[0];
    const Operand b = what.transposeB ? transposed(gpu, in[1]) : in[1];
    const std::int64_t m = out.shape[-2], n = out.shape[-1];
    multiply(gpu, {.a = a,
                   .b = b,
                   .c = out,
                   .batches = out.shape.size() / (m * n),
                   .m = m,
                   .n = n,
                   .k = a.shape[-1],
                   .epilogue = epilogue});
}

}  // namespace stile::kernels
