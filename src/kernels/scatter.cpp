#include <fmt/format.h>

#include "kernels/check_indices.hpp"
#include "kernels/kernels.hpp"
#include "kernels/sort.hpp"

namespace stile::kernels {
namespace {

constexpr gl::View words{true, false}, reals{false, false};

/// What is there before the updates.
void base(gl::Gpu& gpu, Operands in, const Operand& out) {
    Expression expression{.shape = out.shape, .leaves = {{.dtype = out.dtype, .shape = {}}}, .steps = {}};
    if (in.size() > 2) expression.leaves.front() = {in[2].buffer, 0, in[2].dtype, in[2].shape};
    elementwise(gpu, expression, out);
}

/// int32 and bool: atomic operations, whose order does not matter.
void combine(gl::Gpu& gpu, const prim::Scatter& what, Operands in, const Operand& out, std::int64_t step) {
    launch(gpu, {.file = "scatter.comp",
                 .code = fmt::format("#define COMBINE {}\n", out.dtype == DType::boolean ? "atomicOr" : "atomicAdd"),
                 .inputs = {{in[0].buffer.get(), words}, {in[1].buffer.get(), words}},
                 .output = {out.buffer.get(), words},
                 .accumulates = true,
                 .params = {what.count * what.inner, what.inner, what.extent, step},
                 .invocations = what.count * what.inner});
}

void keepLast(gl::Gpu& gpu, const prim::Scatter& what, Operands in, const Operand& out, std::int64_t step) {
    const auto winner = scratch(gpu, what.extent);
    const Shape rows{what.extent};
    elementwise(gpu, {.shape = rows, .leaves = {{.bits = ~0U, .dtype = DType::int32}}, .steps = {}},
                {winner, rows, DType::int32});
    launch(gpu, {.file = "scatter.comp",
                 .code = "#define WINNER\n",
                 .inputs = {{in[0].buffer.get(), words}},
                 .output = {winner.get(), words},
                 .accumulates = true,
                 .params = {what.count, what.inner, what.extent, step},
                 .invocations = what.count});
    launch(gpu, {.file = "scatter.comp",
                 .code = "#define LAST\n",
                 .inputs = {{in[0].buffer.get(), words}, {in[1].buffer.get(), words}, {winner.get(), words}},
                 .output = {out.buffer.get(), words},
                 .params = {what.count * what.inner, what.inner, what.extent, step},
                 .invocations = what.count * what.inner});
}

/// float32: the order of additions decides the last bits, so it must not be left to chance.
void sumInOrder(gl::Gpu& gpu, const prim::Scatter& what, Operands in, const Operand& out, std::int64_t step) {
    const auto order = scratch(gpu, what.count);
    sort(gpu, {.rows = 1, .extent = what.count, .kept = what.count}, in[0].buffer.get(), words, order.get());
    std::int64_t places = 0;
    for (std::int64_t n = what.count; n > 0; n /= 64) places += n;
    const auto levels = scratch(gpu, places * what.inner);
    Launch l{.file = "scatter_sum.comp",
             .code = "#define STEP 0\n",
             .inputs = {{order.get(), words}, {in[1].buffer.get(), reals}},
             .output = {levels.get(), reals},
             .params = {what.count * what.inner, what.inner, step},
             .invocations = what.count * what.inner};
    launch(gpu, l);
    l.code = "#define STEP 1\n";
    l.inputs.clear();
    l.accumulates = true;
    std::int64_t level = 0;
    for (std::int64_t n = what.count; n >= 64; n /= 64) {
        const std::int64_t next = level + n * what.inner;
        l.invocations = n / 64 * what.inner;
        l.params = {l.invocations, what.inner, level, next};
        launch(gpu, l);
        level = next;
    }
    launch(gpu, {.file = "scatter_sum.comp",
                 .code = "#define STEP 2\n",
                 .inputs = {{in[0].buffer.get(), words}, {order.get(), words}, {levels.get(), reals}},
                 .output = {out.buffer.get(), reals},
                 .accumulates = true,
                 .params = {what.extent * what.inner, what.inner, what.count},
                 .invocations = what.extent * what.inner});
}

}  // namespace

void run(gl::Gpu& gpu, const prim::Scatter& what, Operands in, const Operand& out) {
    if (what.strict) checkIndices(gpu, in[0], what.extent);
    base(gpu, in, out);
    if (what.count * what.inner == 0) return;
    const std::int64_t step = in[1].shape.size() == 1 ? 0 : 1;
    if (what.combine == prim::Combine::last) {
        keepLast(gpu, what, in, out, step);
    } else if (out.dtype == DType::float32) {
        sumInOrder(gpu, what, in, out, step);
    } else {
        combine(gpu, what, in, out, step);
    }
}

}  // namespace stile::kernels
