#include "kernels/check_indices.hpp"
#include "kernels/kernels.hpp"

namespace stile::kernels {

void run(gl::Gpu& gpu, const prim::Gather& what, Operands in, const Operand& out) {
    constexpr gl::View words{true, false};
    checkIndices(gpu, in[1], what.extent);
    launch(gpu, {.file = "gather.comp",
                 .inputs = {{in[0].buffer.get(), words}, {in[1].buffer.get(), words}},
                 .output = {out.buffer.get(), words},
                 .params = {out.shape.size(), what.outer, what.extent, what.inner, what.picks},
                 .invocations = out.shape.size()});
}

}  // namespace stile::kernels
