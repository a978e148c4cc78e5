#include <fmt/format.h>

#include <vector>

#include "kernels/kernels.hpp"

// Elements are moved as integers, whatever their dtype: every bit pattern survives, and one program serves all.
namespace stile::kernels {
namespace {

constexpr gl::View words{true, false};

}  // namespace

void run(gl::Gpu& gpu, const prim::Strided& what, Operands in, const Operand& out) {
    const std::int64_t n = out.shape.size();
    Launch l{.file = "strided.comp",
             .inputs = {{in[0].buffer.get(), words}},
             .output = {out.buffer.get(), words},
             .params = {n, what.offset},
             .invocations = n};
    l.code = indexFunction("walk", what.extents, what.strides, l.params);
    l.code += "int source(int i) { return P[1] + walk(i); }\n";
    launch(gpu, l);
}

void run(gl::Gpu& gpu, const prim::Pad& what, Operands in, const Operand& out) {
    const std::int64_t n = out.shape.size();
    Launch l{
        .file = "pad.comp", .inputs = {{in[0].buffer.get(), words}}, .output = {out.buffer.get(), words}, .invocations = n};
    l.params.add(n);
    l.params.addBits(what.bits);
    std::string body;
    std::int64_t stride = 1;
    for (int axis = out.shape.rank() - 1; axis >= 0; --axis) {
        const int extent = l.params.add(out.shape[axis]), before = l.params.add(what.before[static_cast<std::size_t>(axis)]);
        const int inner = l.params.add(in[0].shape[axis]), step = l.params.add(stride);
        body += fmt::format(
            "    q = i / P[{0}]; c = i - q * P[{0}] - P[{1}]; i = q;\n"
            "    if (c < 0 || c >= P[{2}]) return -1;\n    o += c * P[{3}];\n",
            extent, before, inner, step);
        stride *= in[0].shape[axis];
    }
    l.code = fmt::format("int source(int i) {{\n    int q, c, o = 0;\n{}    return o;\n}}\n", body);
    launch(gpu, l);
}

void run(gl::Gpu& gpu, const prim::Concat& what, Operands in, const Operand& out) {
    std::int64_t inner = 1;
    for (int axis = what.axis + 1; axis < out.shape.rank(); ++axis) inner *= out.shape[axis];
    std::int64_t start = 0;
    for (const Operand& part : in) {
        const std::int64_t row = part.shape[what.axis] * inner;
        launch(gpu, {.file = "copy_into.comp",
                     .inputs = {{part.buffer.get(), words}},
                     .output = {out.buffer.get(), words},
                     .params = {part.shape.size(), row, out.shape[what.axis] * inner, start},
                     .invocations = part.shape.size()});
        start += row;
    }
}

}  // namespace stile::kernels
