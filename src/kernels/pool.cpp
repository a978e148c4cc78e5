#include <algorithm>

#include "kernels/kernels.hpp"
#include "kernels/window.hpp"

namespace stile::kernels {

void run(gl::Gpu& gpu, const prim::Pool& what, Operands in, const Operand& out) {
    const bool integer = out.dtype != DType::float32;
    const std::int64_t rows = rowsInPass(what.window);
    for (std::int64_t row = 0; row < what.window.height; row += rows) {
        const std::int64_t end = std::min(row + rows, what.window.height);
        Launch l{.file = "pool.comp",
                 .inputs = {{in[0].buffer.get(), {integer, false}}},
                 .output = {out.buffer.get(), {integer, false}},
                 .accumulates = row > 0,
                 .params = windowParams(what.window, in[0].shape, out.shape, out.shape.size(), row, end),
                 .invocations = out.shape.size()};
        if (integer) l.code += "#define INTEGER\n";
        if (what.average) l.code += "#define AVERAGE\n";
        if (row > 0) l.code += "#define ACCUMULATE\n";
        if (end == what.window.height) l.code += "#define LAST\n";
        launch(gpu, l);
    }
}

}  // namespace stile::kernels
