#include <fmt/format.h>

#include "kernels/kernels.hpp"

namespace stile::kernels {

void run(gl::Gpu& gpu, const prim::Random& what, Operands, const Operand& out) {
    const bool integer = out.dtype != DType::float32;
    const std::int64_t elements = out.shape.size();
    Launch l{.file = "random.comp",
             .code = fmt::format("#define DISTRIBUTION {}\n#define RESULT {}\n", static_cast<int>(what.kind),
                                 integer ? "ivec4" : "vec4"),
             .params = {0}};
    l.params.addBits(static_cast<std::uint32_t>(what.seed));
    l.params.addBits(static_cast<std::uint32_t>(what.seed >> 32U));
    l.params.addBits(what.first);
    l.params.addBits(what.second);
    const int start = l.params.add(0);
    for (const Part& part : partsOf(gpu.driver, elements)) {
        l.output = {out.buffer.get(), {integer, true}, part.count < elements ? part : Part{}};
        l.invocations = (part.count + 3) / 4;
        l.params[0] = static_cast<int>(l.invocations);
        l.params[start] = static_cast<int>(part.first / 4);
        launch(gpu, l);
    }
}

}  // namespace stile::kernels
