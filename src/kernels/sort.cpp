#include "kernels/sort.hpp"

#include <algorithm>
#include <string>

namespace stile::kernels {
namespace {

/// The elements of the blocks that are sorted by comparing each with each.
constexpr std::int64_t block = 32;

std::string order(const prim::Sort& what, bool integer) {
    std::string code = integer
                           ? "#define VALUE int\nbool before(int a, int b) { return a"
                           : "#define VALUE float\nbool before(float a, float b) { return !st_isNaN(a) && (st_isNaN(b) || a";
    code += what.descending ? " > b" : " < b";
    return code + (integer ? "; }\n" : "); }\n");
}

}  // namespace

// O(n log k log n): the runs stop growing at `kept`, so that their number halves from then on.
void sort(gl::Gpu& gpu, const prim::Sort& what, gl::Buffer* x, gl::View view, gl::Buffer* out) {
    std::int64_t width = block, runs = (what.extent + width - 1) / width, kept = std::min(width, what.kept);
    Launch l{.file = "sort.comp",
             .library = "lib/math.glsl",
             .code = order(what, view.integer) + "#define BLOCKS\n",
             .inputs = {{x, view}},
             .params = {what.rows * what.extent, what.extent, width, kept, runs},
             .invocations = what.rows * what.extent};
    std::shared_ptr<gl::Buffer> sorted, next;
    const auto target = [&]() -> gl::Buffer* {
        if (runs == 1) return out;
        next = scratch(gpu, what.rows * runs * kept);
        return next.get();
    };
    l.output = {target(), {true, false}};
    launch(gpu, l);
    l.code = order(what, view.integer);
    while (runs > 1) {
        sorted = std::move(next);
        const std::int64_t count = what.rows * runs * kept, before = runs, keptBefore = kept;
        runs = (runs + 1) / 2;
        kept = std::min(2 * width, what.kept);
        l.inputs = {{x, view}, {sorted.get(), {true, false}}};
        l.params = {count, what.extent, width, keptBefore, before, kept, runs};
        l.invocations = count;
        l.output = {target(), {true, false}};
        launch(gpu, l);
        width *= 2;
    }
}

void run(gl::Gpu& gpu, const prim::Sort& what, Operands in, const Operand& out) {
    sort(gpu, what, in[0].buffer.get(), {in[0].dtype != DType::float32, false}, out.buffer.get());
}

void run(gl::Gpu& gpu, const prim::Search& what, Operands in, const Operand& out) {
    const gl::View view{in[0].dtype != DType::float32, false};
    const std::int64_t n = out.shape.size();
    launch(gpu, {.file = "search.comp",
                 .code = view.integer ? "#define VALUE int\n" : "#define VALUE float\n",
                 .inputs = {{in[0].buffer.get(), view}, {in[1].buffer.get(), view}},
                 .output = {out.buffer.get(), {true, false}},
                 .params = {n, what.extent, what.count, what.upper ? 1 : 0},
                 .invocations = n});
}

}  // namespace stile::kernels
