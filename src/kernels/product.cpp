#include "kernels/product.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "kernels/tile.hpp"

namespace stile::kernels {
namespace {

/// The most turns of all loops of an invocation; the limit is 65,535 on one driver.
constexpr std::int64_t longest = 30000;
/// Products of fewer multiplications are not worth the copy that padding takes.
constexpr std::int64_t worthPadding = std::int64_t{1} << 20;

/// Invocations that lie side by side: as many as run in step on a processor.
constexpr std::int64_t lanesAtMost = 8;

std::int64_t over(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
std::int64_t toFour(std::int64_t extent) { return (extent + 3) / 4 * 4; }

const char* vectorType(DType dtype) { return dtype == DType::float32 ? "vec4" : "ivec4"; }

}  // namespace

void copyMatrices(gl::Gpu& gpu, const Operand& from, const Operand& to) {
    const bool integer = to.dtype != DType::float32;
    const std::int64_t quads = over(to.shape.size(), 4);
    launch(gpu, {.file = "widths.comp",
                 .code = fmt::format("#define VEC4 {}\n#define SCALAR {}\n", vectorType(to.dtype), scalarType(to.dtype)),
                 .inputs = {{from.buffer.get(), {integer, false}}},
                 .output = {to.buffer.get(), {integer, true}},
                 .params = {quads, to.shape[-2], to.shape[-1], from.shape[-2], from.shape[-1]},
                 .invocations = quads});
}

namespace {

Shape resized(const Shape& shape, std::int64_t rows, std::int64_t columns) {
    std::vector<std::int64_t> extents(shape.begin(), shape.end());
    extents[extents.size() - 2] = rows;
    extents[extents.size() - 1] = columns;
    return Shape(extents);
}

/// Memory for an operand of another size; the operand itself if that is its size.
Operand resized(gl::Gpu& gpu, const Operand& x, std::int64_t rows, std::int64_t columns) {
    if (x.shape[-2] == rows && x.shape[-1] == columns) return x;
    const Shape shape = resized(x.shape, rows, columns);
    return {scratch(gpu, shape.size()), shape, x.dtype};
}

Operand padded(gl::Gpu& gpu, const Operand& x, std::int64_t rows, std::int64_t columns) {
    Operand out = resized(gpu, x, rows, columns);
    if (out.buffer != x.buffer) copyMatrices(gpu, x, out);
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

/// What one pass sums up.
struct Pass {
    std::int64_t kBegin, kEnd, tapBegin, tapEnd;
};

std::vector<Pass> passesOf(const Product& p, std::int64_t step) {
    const std::int64_t inPass = std::clamp<std::int64_t>(p.k, 1, longest * step);
    const std::int64_t taps = std::max<std::int64_t>(longest / (inPass / step + 2), 1);
    std::vector<Pass> passes;
    for (std::int64_t tap = 0; tap < p.taps(); tap += taps) {
        // With an empty k one pass writes the zeros.
        for (std::int64_t begin = 0; begin == 0 || begin < p.k; begin += inPass) {
            passes.push_back({begin, std::min(p.k, begin + inPass), tap, std::min(p.taps(), tap + taps)});
        }
    }
    return passes;
}

void addWindow(const Product& p, const Pass& pass, Params& params) {
    const prim::Window& w = p.convolution->window;
    for (const std::int64_t value : {p.a.shape[1], p.a.shape[2], p.c.shape[1], p.c.shape[2], w.width, w.strideY, w.strideX,
                                     w.dilationY, w.dilationX, w.top, w.left, pass.tapBegin, pass.tapEnd}) {
        params.add(value);
    }
}

const char* defined(bool when, const char* text) { return when ? text : ""; }

/// Whether the kernel of the product can apply the epilogue to what it has written: quads of the same type.
bool appliesEpilogue(const Product& p) {
    return p.n % 4 == 0 && (p.c.dtype == DType::float32) == (p.epilogue->dtype() == DType::float32);
}

/// The product first, in memory of its own, and then the epilogue.
void multiplyApart(gl::Gpu& gpu, const Product& p) {
    Product plain = p;
    plain.epilogue = nullptr;
    plain.c.buffer = scratch(gpu, p.c.shape.size());
    multiply(gpu, plain);
    const Expression rest = withOwn(*p.epilogue, plain.c.buffer);
    elementwise(gpu, rest, {p.c.buffer, rest.shape, rest.dtype()});
}

}  // namespace

void multiply(gl::Gpu& gpu, const Product& p, const Tile& tile) {
    const bool integer = p.c.dtype != DType::float32;
    const bool wideA = p.k % 4 == 0, wideB = p.n % 4 == 0;
    const std::int64_t tiles = over(p.n, 4 * tile.quads), strips = over(tiles, lanesAtMost), lanes = over(tiles, strips);
    const std::int64_t invocations = tile.side > 0 ? p.batches * over(p.m, tile.side) * over(p.n, tile.side) * groupSize
                                                   : p.batches * over(p.m, tile.rows) * strips * lanes;
    bool accumulates = false;
    // Through shared memory the factors of a step are walked one by one.
    const std::vector<Pass> passes = passesOf(p, wideA && tile.side == 0 ? 4 : 1);
    for (const Pass& pass : passes) {
        Launch l{.file = tile.file,
                 .inputs = {{p.a.buffer.get(), {integer, wideA}}, {p.b.buffer.get(), {integer, wideB}}},
                 .output = {p.c.buffer.get(), {integer, wideB}},
                 .accumulates = accumulates,
                 .params = {invocations, p.m, p.n, p.k, pass.kBegin, pass.kEnd, lanes, strips},
                 .invocations = invocations,
                 .work = static_cast<double>(p.multiplications()) / static_cast<double>(passes.size())};
        l.code = fmt::format("#define ROWS {}\n#define QUADS {}\n#define VEC4 {}\n#define SCALAR {}\n{}{}{}", tile.rows,
                             tile.quads, vectorType(p.c.dtype), scalarType(p.c.dtype), defined(wideA, "#define WIDE_A\n"),
                             defined(wideB, "#define WIDE_B\n"), defined(accumulates, "#define ACCUMULATE\n"));
        if (p.convolution) {
            addWindow(p, pass, l.params);
            l.code += fmt::format("#define CONVOLUTION\n{}", defined(p.convolution->transposed, "#define TRANSPOSED\n"));
        } else {
            l.code += offsetFunction("offsetA", p.a.shape, p.c.shape, l.params);
            l.code += offsetFunction("offsetB", p.b.shape, p.c.shape, l.params);
        }
        if (p.epilogue && &pass == &passes.back()) {
            Generated generated = generateQuad(*p.epilogue, {0, p.epilogue->shape.size()}, l.params, l.inputs.size());
            l.library = "lib/math.glsl";
            l.code += "#define EPILOGUE\n" + generated.code;
            std::ranges::move(generated.inputs, std::back_inserter(l.inputs));
            l.accumulates = true;
        }
        launch(gpu, l);
        accumulates = true;
    }
}

void multiply(gl::Gpu& gpu, const Product& p) {
    if (p.epilogue && !appliesEpilogue(p)) {
        multiplyApart(gpu, p);
        return;
    }
    Product wide = p;
    wide.k = toFour(p.k);
    wide.n = toFour(p.n);
    const auto fits = [&](const Shape& shape, std::int64_t rows, std::int64_t columns) {
        return shape.size() == 0 || resized(shape, rows, columns).size() * 4 <= gpu.driver.storageBytes;
    };
    if (p.multiplications() < worthPadding || !fits(p.a.shape, p.a.shape[-2], wide.k) || !fits(p.b.shape, wide.k, wide.n) ||
        !fits(p.c.shape, p.c.shape[-2], wide.n)) {
        multiply(gpu, p, tileFor(gpu, p));
        return;
    }
    // Vectors are read several times faster than single elements, and zeros change no sum.
    wide.a = padded(gpu, p.a, p.a.shape[-2], wide.k);
    wide.b = padded(gpu, p.b, wide.k, wide.n);
    wide.c = resized(gpu, p.c, p.c.shape[-2], wide.n);
    multiply(gpu, wide, tileFor(gpu, wide));
    if (wide.c.buffer != p.c.buffer) copyMatrices(gpu, wide.c, p.c);
}

}  // namespace stile::kernels
