#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "kernels/kernels.hpp"

namespace stile::kernels {
namespace {

/// Multiples of four, so that the loop over k stays far below 65,535 turns even where the loop over rows is not unrolled.
constexpr std::int64_t longestK = 24000;
/// Products of fewer multiplications are not worth the copies that padding takes.
constexpr std::int64_t worthPadding = std::int64_t{1} << 20;

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

std::int64_t toFour(std::int64_t extent) { return (extent + 3) / 4 * 4; }

/// The operand with zeros added to its last two axes.
Operand padded(gl::Gpu& gpu, const Operand& x, std::int64_t rows, std::int64_t columns) {
    if (x.shape[-2] == rows && x.shape[-1] == columns) return x;
    std::vector<std::int64_t> extents(x.shape.begin(), x.shape.end());
    extents[extents.size() - 2] = rows;
    extents[extents.size() - 1] = columns;
    const Shape shape(extents);
    const Operand out{scratch(gpu, shape.size()), shape, x.dtype};
    run(gpu, prim::Pad{.before = std::vector<std::int64_t>(extents.size(), 0)}, {&x, 1}, out);
    return out;
}

/// Copies the result out of a wider one.
void narrow(gl::Gpu& gpu, const Operand& wide, const Operand& out) {
    const std::int64_t columns = out.shape[-1];
    const prim::Strided what{.extents = {out.shape.size() / columns, columns}, .strides = {wide.shape[-1], 1}};
    run(gpu, what, {&wide, 1}, out);
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

/// out = a × b, in passes over k.
void multiply(gl::Gpu& gpu, const Operand& a, const Operand& b, const Operand& out) {
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

}  // namespace

void run(gl::Gpu& gpu, const prim::MatMul& what, Operands in, const Operand& out) {
    const Operand a = what.transposeA ? transposed(gpu, in[0]) : in[0];
    const Operand b = what.transposeB ? transposed(gpu, in[1]) : in[1];
    const std::int64_t k = toFour(a.shape[-1]), n = toFour(out.shape[-1]);
    const bool isWide = k == a.shape[-1] && n == out.shape[-1];
    const auto fits = [&](const Shape& shape, std::int64_t rows, std::int64_t columns) {
        return shape.size() / (shape[-2] * shape[-1]) * rows * columns * 4 <= gpu.driver.storageBytes;
    };
    if (isWide || out.shape.size() * k < worthPadding || !fits(a.shape, a.shape[-2], k) || !fits(b.shape, k, n) ||
        !fits(out.shape, out.shape[-2], n)) {
        multiply(gpu, a, b, out);
        return;
    }
    // Vectors are read several times faster than single elements, and zeros change no sum.
    std::vector<std::int64_t> extents(out.shape.begin(), out.shape.end());
    extents.back() = n;
    const Shape shape(extents);
    const Operand wide = n == out.shape[-1] ? out : Operand{scratch(gpu, shape.size()), shape, out.dtype};
    multiply(gpu, padded(gpu, a, a.shape[-2], k), padded(gpu, b, k, n), wide);
    if (wide.buffer != out.buffer) narrow(gpu, wide, out);
}

}  // namespace stile::kernels
