#include <fmt/format.h>

#include "kernels/check_indices.hpp"
#include "kernels/kernels.hpp"

namespace stile::kernels {

void run(gl::Gpu& gpu, const prim::Gather& what, Operands in, const Operand& out) {
    constexpr gl::View words{true, false}, quads{true, true};
    checkIndices(gpu, in[1], what.extent);
    const std::int64_t n = out.shape.size();
    Launch l{.file = "gather.comp",
             .inputs = {{in[0].buffer.get(), words}, {in[1].buffer.get(), words}},
             .output = {out.buffer.get(), words}};
    if (what.inner == 1 && what.batch * what.outer == 1) {
        l.code = "#define PICKS\n";
        l.inputs[1].view = l.output.view = quads;
        l.invocations = (n + 3) / 4;
        l.params = {l.invocations, what.extent};
    } else {
        const std::int64_t unit = what.inner % 4 == 0 ? 4 : 1, items = what.inner / unit;
        // A CPU finds the row once for several items; on a GPU neighbouring invocations take neighbouring items.
        const std::int64_t stretch = gpu.driver.software && items % 4 == 0 ? 4 : 1;
        if (unit == 4) l.inputs[0].view = l.output.view = quads;
        l.code = fmt::format("#define ITEM {}\n#define STRETCH {}\n", unit == 4 ? "ivec4" : "int", stretch);
        l.invocations = n / unit / stretch;
        l.params = {l.invocations, what.extent};
        for (const std::int64_t divisor : {items / stretch, what.picks, what.outer}) l.params.addDivisor(divisor);
    }
    launch(gpu, l);
}

}  // namespace stile::kernels
