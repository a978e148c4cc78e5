#include <fmt/format.h>

#include "kernels/kernels.hpp"

namespace stile::kernels {

void run(gl::Gpu& gpu, const prim::Resize& what, Operands in, const Operand& out) {
    const Shape& x = in[0].shape;
    // The nearest neighbour is moved as bits; only interpolation looks at the dtype.
    const bool integerIn = !what.bilinear || in[0].dtype != DType::float32;
    launch(gpu, {.file = "resize.comp",
                 .code = fmt::format("#define BILINEAR {}\n#define ALIGN {}\n#define HALF {}\n", int{what.bilinear},
                                     int{what.alignCorners}, int{what.halfPixelCenters}),
                 .inputs = {{in[0].buffer.get(), {integerIn, false}}},
                 .output = {out.buffer.get(), {!what.bilinear, false}},
                 .params = {out.shape.size(), x[1], x[2], out.shape[1], out.shape[2], x[3]},
                 .invocations = out.shape.size()});
}

}  // namespace stile::kernels
