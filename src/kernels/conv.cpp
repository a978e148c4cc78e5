#include <vector>

#include "kernels/product.hpp"
#include "kernels/window.hpp"

namespace stile::kernels {

void run(gl::Gpu& gpu, const prim::Conv2d& what, Operands in, const Operand& out) {
    const std::int64_t k = in[0].shape[3], n = out.shape[3];
    Product p{.a = in[0], .b = in[1], .c = out, .m = out.shape.size() / n, .n = n, .k = k};
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
    const std::vector<WindowPart> parts = partsOf(what.window, 1);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        Launch l{.file = "depthwise.comp",
                 .code = i > 0 ? "#define ACCUMULATE\n" : "",
                 .inputs = {{in[0].buffer.get(), {}}, {in[1].buffer.get(), {}}},
                 .output = {out.buffer.get(), {}},
                 .accumulates = i > 0,
                 .params = windowParams(what.window, in[0].shape, out.shape, out.shape.size(), parts[i]),
                 .invocations = out.shape.size()};
        l.params.add(in[1].shape[3]);
        launch(gpu, l);
    }
}

}  // namespace stile::kernels
