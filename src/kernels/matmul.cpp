#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "kernels/kernels.hpp"

namespace stile::kernels {
namespace {

/// Multiples of four, so that the loop over k stays far below 65,535 turns even where the loop over rows is not unrolled.
constexpr std::int64_t longestK = 24000;

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

/// Where the matrix of each batch of the result starts in an operand whose leading axes may be stretched.
std::string offsetFunction(std::string_view name, const Shape& operand, const Shape& result, Params& params) {
    std::vector<std::int64_t> extents, strides;
    std::int64_t stride = operand[-1] * operand[-2];
    for (int i = 3; i <= result.rank(); ++i) {
        const std::int64_t extent = i <= operand.rank() ? operand[-i] : 1;
        extents.insert(extents.begin(), result[-i]);
        strides.insert(strides.begin(), extent == 1 ? 0 : stride);
        stride *= extent;
    }
    return indexFunction(name, extents, strides, params);
}

}  // namespace

void run(gl::Gpu& gpu, const prim::MatMul& what, Operands in, const Operand& out) {
    const Operand a = what.transposeA ? transposed(gpu, in[0]) : in[0];
    const Operand b = what.transposeB ? transposed(gpu, in[1]) : in[1];
    const std::int64_t m = out.shape[-2], n = out.shape[-1], k = a.shape[-1];
    const std::int64_t batches = out.shape.size() / (m * n);
    const bool integer = out.dtype != DType::float32;
    const bool wideA = k % 4 == 0, wideB = n % 4 == 0;
    std::int64_t rows = 8;
    while (rows > 1 && rows / 2 >= m) rows /= 2;
    const std::int64_t invocations = batches * ((m + rows - 1) / rows) * ((n + 3) / 4);
    // With an empty k one pass writes the zeros.
    for (std::int64_t begin = 0; begin == 0 || begin < k; begin += longestK) {
        Launch l{.file = "matmul.comp",
                 .inputs = {{a.buffer.get(), {integer, wideA}}, {b.buffer.get(), {integer, wideB}}},
                 .output = {out.buffer.get(), {integer, wideB}},
                 .accumulates = begin > 0,
                 .params = {invocations, m, k, n, begin, std::min(k, begin + longestK)},
                 .invocations = invocations};
        l.code = fmt::format("#define ROWS {}\n#define VEC4 {}\n#define SCALAR {}\n{}{}{}", rows, integer ? "ivec4" : "vec4",
                             scalarType(out.dtype), wideA ? "#define WIDE_A\n" : "", wideB ? "#define WIDE_B\n" : "",
                             begin > 0 ? "#define ACCUMULATE\n" : "");
        l.code += offsetFunction("offsetA", a.shape, out.shape, l.params);
        l.code += offsetFunction("offsetB", b.shape, out.shape, l.params);
        launch(gpu, l);
    }
}

}  // namespace stile::kernels
