#include <fmt/format.h>

#include <algorithm>

#include "kernels/kernels.hpp"

namespace stile::kernels {
namespace {

enum class Along { columns = 1, rows = 2, both = 3 };

void resize(gl::Gpu& gpu, const prim::Resize& what, const Operand& in, const Operand& out, Along along) {
    const Shape &x = in.shape, &to = out.shape;
    // The nearest neighbour is moved as bits; only interpolation looks at the dtype.
    const bool integerIn = !what.bilinear || in.dtype != DType::float32;
    // Four channels at a time, or four neighbouring elements of a line, or one.
    const bool wideItems = x[3] % 4 == 0, quads = !wideItems && to[2] * to[3] % 4 == 0;
    const std::int64_t items = wideItems ? x[3] / 4 : x[3], count = quads ? 4 : 1, line = to[2] * items / count;
    const char *vector = what.bilinear ? "vec4" : "ivec4", *scalar = what.bilinear ? "float" : "int";
    const auto denominator = [&](std::int64_t after) {
        return what.alignCorners ? std::max<std::int64_t>(after - 1, 1) : what.halfPixelCenters ? 2 * after : after;
    };
    Launch l{.file = "resize.comp",
             .code = fmt::format("#define BILINEAR {}\n#define ALIGN {}\n#define HALF {}\n#define ITEM {}\n#define QUAD {}\n"
                                 "#define COUNT {}\n#define AXES {}\n",
                                 int{what.bilinear}, int{what.alignCorners}, int{what.halfPixelCenters},
                                 wideItems ? vector : scalar, vector, count, static_cast<int>(along)),
             .inputs = {{in.buffer.get(), {integerIn, wideItems}}},
             .output = {out.buffer.get(), {!what.bilinear, wideItems || quads}},
             .params = {to[0] * to[1] * line, x[1], x[2]},
             .invocations = to[0] * to[1] * line};
    for (const std::int64_t divisor : {to[1], to[2], items, line, denominator(to[1]), denominator(to[2])}) {
        l.params.addDivisor(divisor);
    }
    launch(gpu, l);
}

}  // namespace

void run(gl::Gpu& gpu, const prim::Resize& what, Operands in, const Operand& out) {
    const Shape &x = in[0].shape, &to = out.shape;
    if (!what.bilinear || x[1] > to[1] || to[2] * to[3] % 4 != 0 || x[3] % 4 == 0) {
        resize(gpu, what, in[0], out, Along::both);
        return;
    }
    // Columns first, of fewer rows; rows are then mixed in vectors. The same additions and products in the same order.
    const Shape wider{x[0], x[1], to[2], x[3]};
    const Operand columns{scratch(gpu, wider.size()), wider, DType::float32};
    resize(gpu, what, in[0], columns, Along::columns);
    const std::int64_t quads = to[2] * to[3] / 4;
    const Operand from{columns.buffer, Shape{x[0], x[1], quads, 4}, DType::float32};
    resize(gpu, what, from, {out.buffer, Shape{to[0], to[1], quads, 4}, DType::float32}, Along::rows);
}

}  // namespace stile::kernels
