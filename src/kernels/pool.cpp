#include <vector>

#include "kernels/kernels.hpp"
#include "kernels/window.hpp"

namespace stile::kernels {

void run(gl::Gpu& gpu, const prim::Pool& what, Operands in, const Operand& out) {
    const bool integer = out.dtype != DType::float32;
    const std::vector<WindowPart> parts = partsOf(what.window, 1);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        Launch l{.file = "pool.comp",
                 .inputs = {{in[0].buffer.get(), {integer, false}}},
                 .output = {out.buffer.get(), {integer, false}},
                 .accumulates = i > 0,
                 .params = windowParams(what.window, in[0].shape, out.shape, out.shape.size(), parts[i]),
                 .invocations = out.shape.size()};
        if (integer) l.code += "#define INTEGER\n";
        if (what.average) l.code += "#define AVERAGE\n";
        if (i > 0) l.code += "#define ACCUMULATE\n";
        if (i + 1 == parts.size()) l.code += "#define LAST\n";
        launch(gpu, l);
    }
}

}  // namespace stile::kernels
