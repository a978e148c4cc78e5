#include <fmt/format.h>

#include "kernels/kernels.hpp"

namespace stile::kernels {

void run(gl::Gpu& gpu, const prim::Random& what, Operands, const Operand& out) {
    const bool integer = out.dtype != DType::float32;
    const std::int64_t quads = (out.shape.size() + 3) / 4;
    Launch l{.file = "random.comp",
             .code = fmt::format("#define DISTRIBUTION {}\n#define RESULT {}\n", static_cast<int>(what.kind),
                                 integer ? "ivec4" : "vec4"),
             .output = {out.buffer.get(), {integer, true}},
             .params = {quads},
             .invocations = quads};
    l.params.addBits(static_cast<std::uint32_t>(what.seed));
    l.params.addBits(static_cast<std::uint32_t>(what.seed >> 32U));
    l.params.addBits(what.first);
    l.params.addBits(what.second);
    launch(gpu, l);
}

}  // namespace stile::kernels
