#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "kernels/kernels.hpp"

// Elements are moved as integers, whatever their dtype: every bit pattern survives, and one program serves all.
namespace stile::kernels {
namespace {

constexpr gl::View words{true, false}, quads{true, true};

/// Whether all are multiples of four.
bool inQuads(std::initializer_list<std::int64_t> numbers) {
    return std::ranges::all_of(numbers, [](std::int64_t number) { return number % 4 == 0; });
}

/// The axis along which the source's neighbours lie, if the walk can go in blocks of four by four elements.
std::optional<std::size_t> blockAxis(const std::vector<Axis>& axes, std::int64_t offset) {
    if (axes.size() < 2 || !inQuads({offset, axes.back().extent, axes.back().stride})) return std::nullopt;
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i + 1 < axes.size(); ++i) {
        if (axes[i].stride == 1 && !found) {
            found = i;
        } else if (axes[i].stride % 4 != 0) {
            return std::nullopt;
        }
    }
    return found && axes[*found].extent % 4 == 0 ? found : std::nullopt;
}

void moveBlocks(gl::Gpu& gpu, const std::vector<Axis>& axes, std::size_t blockAxis, std::int64_t offset, const Binding& in,
                const Binding& out) {
    std::vector<Axis> source, target;
    std::int64_t dense = 1, along = 0;
    for (std::size_t i = axes.size(); i-- > 0;) {
        if (i == blockAxis) along = dense;
        if (i != blockAxis && i + 1 < axes.size()) {
            source.insert(source.begin(), {axes[i].extent, axes[i].stride / 4});
            target.insert(target.begin(), {axes[i].extent, dense / 4});
        }
        dense *= axes[i].extent;
    }
    const std::int64_t resultBlocks = axes.back().extent / 4, sourceBlocks = axes[blockAxis].extent / 4;
    // Square, or as much of a square as there is.
    int width = 3;
    while (width > 0 && (1 << (width - 1)) >= sourceBlocks) --width;
    const std::int64_t sourceTiles = (sourceBlocks + (1 << width) - 1) >> width;
    const std::int64_t resultTiles = (resultBlocks + (64 >> width) - 1) / (64 >> width);
    const std::int64_t outer = dense / axes.back().extent / axes[blockAxis].extent;
    const std::int64_t invocations = outer * sourceTiles * resultTiles * 64;
    Launch l{.file = "strided.comp",
             .inputs = {in},
             .output = out,
             .params = {invocations, offset / 4, resultBlocks, sourceBlocks, width},
             .invocations = invocations};
    l.params.addDivisor(sourceTiles);
    l.params.addDivisor(resultTiles);
    l.params.add(axes.back().stride / 4);
    l.params.add(along / 4);
    l.code = "#define MODE BLOCKS\n" + indexFunction("walk", source, l.params) + indexFunction("target", target, l.params);
    launch(gpu, l);
}

}  // namespace

void run(gl::Gpu& gpu, const prim::Strided& what, Operands in, const Operand& out) {
    const std::int64_t n = out.shape.size(), invocations = (n + 3) / 4;
    std::vector<Axis> axes = axesOf(what.extents, what.strides);
    const Binding result{out.buffer.get(), quads};
    if (const auto axis = blockAxis(axes, what.offset)) {
        moveBlocks(gpu, axes, *axis, what.offset, {in[0].buffer.get(), quads}, result);
        return;
    }
    Launch l{.file = "strided.comp", .output = result, .params = {invocations}, .invocations = invocations};
    std::vector<Axis> walk = axes;
    if (what.offset % 4 == 0 && toQuads(walk)) {
        l.code = "#define MODE QUADS\n";
        l.inputs = {{in[0].buffer.get(), quads}};
        l.params.add(what.offset / 4);
    } else {
        l.inputs = {{in[0].buffer.get(), words}};
        l.params.add(what.offset);
        walk = axes;
        if (!walk.empty() && walk.back().extent % 4 == 0) {
            l.code = "#define MODE STEPS\n";
            l.params.add(walk.back().stride);
            walk.back() = {walk.back().extent / 4, walk.back().stride * 4};
        } else {
            l.code = "#define MODE EACH\n";
            l.params.add(n - 1);
        }
    }
    l.code += indexFunction("walk", walk, l.params);
    launch(gpu, l);
}

void run(gl::Gpu& gpu, const prim::Pad& what, Operands in, const Operand& out) {
    const Shape& x = in[0].shape;
    const int rank = out.shape.rank();
    const bool wide = rank > 0 && inQuads({what.before.back(), x[-1], out.shape[-1]});
    const std::int64_t invocations = (out.shape.size() + 3) / 4;
    Launch l{.file = "pad.comp",
             .inputs = {{in[0].buffer.get(), wide ? quads : words}},
             .output = {out.buffer.get(), quads},
             .params = {invocations, 0, out.shape.size() - 1},
             .invocations = invocations};
    l.params[1] = static_cast<std::int32_t>(what.bits);
    std::string body;
    std::int64_t stride = 1;
    for (int axis = rank - 1; axis >= 0; --axis) {
        const std::int64_t unit = wide && axis == rank - 1 ? 4 : 1;
        const int extent = l.params.addDivisor(out.shape[axis] / unit);
        const int before = l.params.add(what.before[static_cast<std::size_t>(axis)] / unit);
        const int inner = l.params.add(x[axis] / unit), step = l.params.add(stride);
        body += fmt::format(
            "    q = quotient(i, {0}); c = i - q * P[{0}] - P[{1}]; i = q;\n"
            "    if (c < 0 || c >= P[{2}]) return -1;\n    o += c * P[{3}];\n",
            extent, before, inner, step);
        stride *= x[axis] / unit;
    }
    l.code =
        fmt::format("{}int source(int i) {{\n    int q, c, o = 0;\n{}    return o;\n}}\n", wide ? "#define WIDE\n" : "", body);
    launch(gpu, l);
}

void run(gl::Gpu& gpu, const prim::Concat& what, Operands in, const Operand& out) {
    std::int64_t inner = 1;
    for (int axis = what.axis + 1; axis < out.shape.rank(); ++axis) inner *= out.shape[axis];
    const std::int64_t n = out.shape.size(), whole = out.shape[what.axis] * inner;
    if (in.size() == 2 && whole == 2 && in[0].shape[what.axis] == 1) {
        launch(gpu, {.file = "interleave.comp",
                     .inputs = {{in[0].buffer.get(), words}, {in[1].buffer.get(), words}},
                     .output = {out.buffer.get(), quads},
                     .params = {(n + 3) / 4, n / 2 - 1},
                     .invocations = (n + 3) / 4});
        return;
    }
    std::int64_t start = 0;
    for (const Operand& part : in) {
        const std::int64_t row = part.shape[what.axis] * inner;
        const std::int64_t unit = inQuads({row, whole, start}) ? 4 : 1, copied = part.shape.size() / unit;
        Launch l{.file = "copy_into.comp",
                 .inputs = {{part.buffer.get(), unit == 4 ? quads : words}},
                 .output = {out.buffer.get(), unit == 4 ? quads : words},
                 .params = {copied},
                 .invocations = copied};
        l.params.addDivisor(row / unit);
        l.params.add(whole / unit);
        l.params.add(start / unit);
        launch(gpu, l);
        start += row;
    }
}

}  // namespace stile::kernels
