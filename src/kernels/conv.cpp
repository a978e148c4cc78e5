#include <vector>

#include "kernels/product.hpp"
#include "kernels/window.hpp"

namespace stile::kernels {

void run(gl::Gpu& gpu, const prim::Conv2d& what, Operands in, const Operand& out, const Expression* epilogue) {
    const std::int64_t k = in[0].shape[3], n = out.shape[3];
    Product p{.a = in[0], .b = in[1], .c = out, .m = out.shape.size() / n, .n = n, .k = k, .epilogue = epilogue};
    const prim::Window& w = what.window;
    const bool isPlain = w.height == 1 && w.width == 1 && w.strideY == 1 && w.strideX == 1 && w.top == 0 && w.left == 0 &&
                         in[0].shape[1] == out.shape[1] && in[0].shape[2] == out.shape[2];
    if (isPlain) {  // a product of the pixels
        p.a.shape = {p.m, k};
        p.b.shape = {k, n};
        p.c.shape = {p.m, n};
    } else {
        p.convolution = &what;
    }
    multiply(gpu, p);
}

void run(gl::Gpu& gpu, const prim::DepthwiseConv2d& what, Operands in, const Operand& out) {
    constexpr std::int64_t columns = 4;
    const std::int64_t multiplier = in[1].shape[3], unit = multiplier == 1 && out.shape[3] % 4 == 0 ? 4 : 1;
    const gl::View view{false, unit == 4};
    const std::int64_t tiles = (out.shape[2] + columns - 1) / columns;
    const std::int64_t invocations = out.shape[0] * out.shape[1] * tiles * (out.shape[3] / unit);
    // At each position there is a loop over the columns.
    const std::vector<WindowPart> parts = partsOf(what.window, columns + 1);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        Launch l{.file = "depthwise.comp",
                 .code = unit == 4 ? "#define ITEM vec4\n" : "#define ITEM float\n",
                 .inputs = {{in[0].buffer.get(), view}, {in[1].buffer.get(), view}},
                 .output = {out.buffer.get(), view},
                 .accumulates = i > 0,
                 .params = windowParams(what.window, in[0].shape, out.shape, invocations, parts[i]),
                 .invocations = invocations};
        if (i > 0) l.code += "#define ACCUMULATE\n";
        addWindowDivisors(l.params, out.shape, unit, columns);
        l.params.addDivisor(multiplier);
        launch(gpu, l);
    }
}

}  // namespace stile::kernels
