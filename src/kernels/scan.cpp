#include <fmt/format.h>

#include "kernels/kernels.hpp"

namespace stile::kernels {
namespace {

/// The elements that one invocation walks through. Short, so that lines make work for many of them, and rounding errors grow
/// with the logarithm of a line's length.
constexpr std::int64_t chunk = 64;

/// Totals of chunks, scanned in the same way, are what comes before each chunk: O(n) in all.
void scan(gl::Gpu& gpu, const prim::Scan& what, gl::Buffer* x, gl::Buffer* result, gl::View view) {
    const std::int64_t chunks = (what.extent + chunk - 1) / chunk, count = what.outer * chunks * what.inner;
    const char *type = view.integer ? "int" : "float", *join = what.product ? "*" : "+";
    Launch l{.file = "scan.comp",
             .code = fmt::format("#define VALUE {}\n#define IDENTITY VALUE({})\n#define COMBINE(a, b) ((a) {} (b))\n", type,
                                 what.product ? 1 : 0, join),
             .inputs = {{x, view}},
             .output = {result, view},
             .params = {count, what.extent, what.inner, chunks, chunk, what.reverse ? 1 : 0, what.exclusive ? 1 : 0},
             .invocations = count};
    if (chunks == 1) {
        l.code += "#define START(id, a) (a)\n";
        launch(gpu, l);
        return;
    }
    const auto totals = scratch(gpu, count), starts = scratch(gpu, count);
    Launch sums = l;
    sums.code += "#define TOTALS\n";
    sums.output = {totals.get(), view};
    launch(gpu, sums);
    const prim::Scan ofTotals{
        .product = what.product, .exclusive = true, .outer = what.outer, .extent = chunks, .inner = what.inner};
    scan(gpu, ofTotals, totals.get(), starts.get(), view);
    l.code += "#define START(id, a) COMBINE(in1(id), a)\n";
    l.inputs.push_back({starts.get(), view});
    launch(gpu, l);
}

}  // namespace

void run(gl::Gpu& gpu, const prim::Scan& what, Operands in, const Operand& out) {
    scan(gpu, what, in[0].buffer.get(), out.buffer.get(), {out.dtype != DType::float32, false});
}

}  // namespace stile::kernels
