#include "kernels/kernels.hpp"

namespace stile::kernels {

void elementwise(gl::Gpu& gpu, const Expression& expression, const Operand& out) {
    const std::int64_t elements = expression.shape.size();
    for (const Part& part : partsOf(gpu.driver, elements)) {
        const std::int64_t quads = (part.count + 3) / 4;
        Launch l{.file = "elementwise.comp", .library = "lib/math.glsl", .params = {quads}, .invocations = quads};
        Generated generated = generateQuad(expression, part, l.params);
        l.code = std::move(generated.code);
        l.inputs = std::move(generated.inputs);
        l.output = {out.buffer.get(), {out.dtype != DType::float32, true}, part.count < elements ? part : Part{}};
        launch(gpu, l);
    }
}

}  // namespace stile::kernels
