#include <fmt/format.h>

#include <memory>
#include <utility>

#include "kernels/kernels.hpp"

namespace stile::kernels {

void run(gl::Gpu& gpu, const prim::Fft& what, Operands in, const Operand& out) {
    constexpr gl::View floats{false, false};
    const std::int64_t n = out.shape[-1], numbers = out.shape.size();
    std::int64_t before = 1;
    std::shared_ptr<gl::Buffer> from = in[0].buffer;
    for (std::size_t pass = 0; pass < what.factors.size(); ++pass) {
        const bool last = pass + 1 == what.factors.size();
        const int radix = what.factors[pass];
        std::shared_ptr<gl::Buffer> to = last ? out.buffer : scratch(gpu, 2 * numbers);
        Launch l{.file = "fft.comp",
                 .code = fmt::format("#define RADIX {}\n", radix),
                 .inputs = {{from.get(), floats}, {in[1].buffer.get(), floats}},
                 .output = {to.get(), floats},
                 .params = {numbers / radix, n, before},
                 .invocations = numbers / radix};
        l.params.addFloat(last && what.inverse ? 1.0F / static_cast<float>(n) : 1.0F);
        l.params.add(what.inverse ? -1 : 1);
        launch(gpu, l);
        from = std::move(to);
        before *= radix;
    }
}

}  // namespace stile::kernels
