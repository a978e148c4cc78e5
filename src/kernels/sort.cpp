#include "kernels/sort.hpp"

#include <algorithm>
#include <memory>
#include <string>

namespace stile::kernels {
namespace {

constexpr gl::View words{true, false};

std::string order(const prim::Sort& what, bool integer) {
    std::string code = integer
                           ? "#define VALUE int\nbool before(int a, int b) { return a"
                           : "#define VALUE float\nbool before(float a, float b) { return !st_isNaN(a) && (st_isNaN(b) || a";
    code += what.descending ? " > b" : " < b";
    return code + (integer ? "; }\n" : "); }\n");
}

/// Rows of values, of which positions are put in order.
struct Values {
    const prim::Sort& what;
    gl::Buffer* buffer;
    gl::View view;
};

Launch step(const Values& x, const char* name, std::int64_t invocations) {
    return {.file = "sort.comp",
            .library = "lib/math.glsl",
            .code = order(x.what, x.view.integer) + "#define STEP " + name + "\n",
            .inputs = {{x.buffer, x.view}},
            .params = {invocations, x.what.extent},
            .invocations = invocations};
}

/// The first `kept` of each row of `list`, which has `count` positions a row; without one, of all positions.
/// O(n log k log n): the runs stop growing at `kept`, so that their number halves from then on.
void merge(gl::Gpu& gpu, const Values& x, gl::Buffer* list, std::int64_t count, gl::Buffer* out) {
    const std::int64_t rows = x.what.rows;
    std::int64_t width = 32, runs = (count + width - 1) / width;
    std::int64_t kept = std::min({width, x.what.kept, count});
    std::shared_ptr<gl::Buffer> sorted, next;
    const auto target = [&]() -> Binding {
        if (runs > 1) next = scratch(gpu, rows * runs * kept);
        return {runs > 1 ? next.get() : out, words};
    };
    Launch blocks = step(x, "BLOCKS", rows * count);
    blocks.params.add(kept);
    blocks.params.add(runs);
    blocks.params.addDivisor(count);
    blocks.params.addDivisor(width);
    if (list) blocks.inputs.push_back({list, words});
    blocks.code += list ? "#define LIST(at, i) in1(at)\n" : "#define LIST(at, i) (i)\n";
    blocks.output = target();
    launch(gpu, blocks);
    while (runs > 1) {
        sorted = std::move(next);
        const std::int64_t before = runs, keptBefore = kept;
        Launch l = step(x, "RUNS", rows * runs * kept);
        runs = (runs + 1) / 2;
        kept = std::min({2 * width, x.what.kept, count});
        for (const std::int64_t number : {width, count, kept, runs}) l.params.add(number);
        l.params.addDivisor(keptBefore);
        l.params.addDivisor(before);
        l.inputs.push_back({sorted.get(), words});
        l.output = target();
        launch(gpu, l);
        width *= 2;
    }
}

}  // namespace

void sort(gl::Gpu& gpu, const prim::Sort& what, gl::Buffer* x, gl::View view, gl::Buffer* out) {
    const Values values{what, x, view};
    if (what.extent < 128 || what.extent / 16 < what.kept) {
        merge(gpu, values, nullptr, what.extent, out);
        return;
    }
    // The first k elements lie in the k blocks whose own first come first: most elements are read once. With blocks of √(n / k) elements
    // as many blocks are compared as then elements.
    std::int64_t length = 4;
    while (length * length * what.kept < what.extent) length *= 2;
    const std::int64_t blocks = (what.extent + length - 1) / length, chosen = std::min(what.kept, blocks);
    const auto best = scratch(gpu, what.rows * blocks), first = scratch(gpu, what.rows * chosen);
    const auto members = scratch(gpu, what.rows * chosen * length);
    Launch heads = step(values, "BEST", what.rows * blocks);
    heads.params.add(length);
    heads.params.addDivisor(blocks);
    if (what.extent % 4 == 0) {
        heads.code += view.integer ? "#define QUAD ivec4\n" : "#define QUAD vec4\n";
        heads.inputs[0].view.wide = true;
    }
    heads.output = {best.get(), words};
    launch(gpu, heads);
    merge(gpu, values, best.get(), blocks, first.get());
    Launch all = step(values, "MEMBERS", what.rows * chosen * length);
    all.params.addDivisor(length);
    all.inputs.push_back({first.get(), words});
    all.output = {members.get(), words};
    launch(gpu, all);
    merge(gpu, values, members.get(), chosen * length, out);
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
