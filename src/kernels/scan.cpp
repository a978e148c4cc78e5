#include <fmt/format.h>

#include "kernels/kernels.hpp"

namespace stile::kernels {
namespace {

/// The elements that one invocation walks through. Short, so that lines make work for many of them, and rounding errors grow
/// with the logarithm of a line's length.
constexpr std::int64_t chunk = 64;

/// The lines of a scan, counted in items of a view.
struct Lines {
    std::int64_t outer, extent, inner;
    bool along = false;  ///< an item is four neighbours of a line
};

/// Totals of chunks, scanned in the same way, are what comes before each chunk: O(n) in all.
void scan(gl::Gpu& gpu, const prim::Scan& what, const Lines& lines, gl::Buffer* x, gl::Buffer* result, gl::View view) {
    const std::int64_t length = lines.along ? chunk / 4 : chunk;
    const std::int64_t chunks = (lines.extent + length - 1) / length, count = lines.outer * chunks * lines.inner;
    const std::string_view scalar = view.integer ? "int" : "float", vector = view.integer ? "ivec4" : "vec4";
    const char* join = what.product ? "*" : "+";
    Launch l{.file = "scan.comp",
             .code = fmt::format(
                 "#define ITEM {}\n#define TOTAL {}\n#define IDENTITY TOTAL({})\n#define COMBINE(a, b) ((a) {} (b))\n",
                 view.wide ? vector : scalar, view.wide && !lines.along ? vector : scalar, what.product ? 1 : 0, join),
             .inputs = {{x, view}},
             .output = {result, view},
             .params = {count, lines.extent},
             .invocations = count};
    l.params.addDivisor(lines.inner);
    l.params.addDivisor(chunks);
    for (const std::int64_t number : {length, std::int64_t{what.reverse}, std::int64_t{what.exclusive}}) l.params.add(number);
    if (lines.along) l.code += "#define ALONG\n";
    if (chunks == 1) {
        l.code += "#define START(id, a) (a)\n";
        launch(gpu, l);
        return;
    }
    const gl::View total{view.integer, view.wide && !lines.along};
    const std::int64_t elements = total.wide ? 4 * count : count;
    const auto totals = scratch(gpu, elements), starts = scratch(gpu, elements);
    Launch sums = l;
    sums.code += "#define TOTALS\n";
    sums.output = {totals.get(), total};
    launch(gpu, sums);
    scan(gpu, {.product = what.product, .exclusive = true}, {lines.outer, chunks, lines.inner}, totals.get(), starts.get(),
         total);
    l.code += "#define START(id, a) COMBINE(in1(id), a)\n";
    l.inputs.push_back({starts.get(), total});
    launch(gpu, l);
}

}  // namespace

void run(gl::Gpu& gpu, const prim::Scan& what, Operands in, const Operand& out) {
    Lines lines{what.outer, what.extent, what.inner};
    const bool across = what.inner % 4 == 0;
    lines.along = what.inner == 1 && what.extent % 4 == 0;
    if (across) lines.inner /= 4;
    if (lines.along) lines.extent /= 4;
    scan(gpu, what, lines, in[0].buffer.get(), out.buffer.get(), {out.dtype != DType::float32, across || lines.along});
}

}  // namespace stile::kernels
