#include <fmt/format.h>

#include <algorithm>

#include "kernels/kernels.hpp"
#include "kernels/window.hpp"

namespace stile::kernels {

void run(gl::Gpu& gpu, const prim::Conv2d& what, Operands in, const Operand& out) {
    const Shape& x = in[0].shape;
    const std::int64_t channels = x[3], outChannels = out.shape[3];
    const int wideIn = channels % 4 == 0 ? 4 : 1, wideOut = outChannels % 4 == 0 ? 4 : 1;
    const std::int64_t tiles = (out.shape[2] + 3) / 4;
    const std::int64_t invocations = out.shape[0] * out.shape[1] * tiles * (outChannels / wideOut);
    // The filter is walked in passes over rows and input channels, so that no invocation loops too often.
    const std::int64_t rowCost = what.window.width * 4;
    const std::int64_t channelsInPass =
        std::clamp<std::int64_t>(longestLoop / rowCost / 4 * 4, 4, std::max<std::int64_t>(channels, 4));
    const std::int64_t rowsInPass =
        std::clamp<std::int64_t>(longestLoop / (rowCost * std::min(channels, channelsInPass)), 1, what.window.height);
    bool first = true;
    for (std::int64_t row = 0; row < what.window.height || first; row += rowsInPass) {
        for (std::int64_t channel = 0; channel < channels || first; channel += channelsInPass) {
            Launch l{.file = "conv2d.comp",
                     .inputs = {{in[0].buffer.get(), {false, wideIn == 4}}, {in[1].buffer.get(), {false, wideOut == 4}}},
                     .output = {out.buffer.get(), {false, wideOut == 4}},
                     .accumulates = !first,
                     .params = windowParams(what.window, x, out.shape, invocations, row,
                                            std::min(row + rowsInPass, what.window.height)),
                     .invocations = invocations};
            l.params.add(channel);
            l.params.add(std::min(channel + channelsInPass, channels));
            l.code = fmt::format("#define IN {}\n#define OUT {}\n{}", wideIn, wideOut, first ? "" : "#define ACCUMULATE\n");
            launch(gpu, l);
            first = false;
        }
    }
}

void run(gl::Gpu& gpu, const prim::DepthwiseConv2d& what, Operands in, const Operand& out) {
    const std::int64_t rows = rowsInPass(what.window);
    for (std::int64_t row = 0; row < what.window.height; row += rows) {
        Launch l{.file = "depthwise.comp",
                 .code = row > 0 ? "#define ACCUMULATE\n" : "",
                 .inputs = {{in[0].buffer.get(), {}}, {in[1].buffer.get(), {}}},
                 .output = {out.buffer.get(), {}},
                 .accumulates = row > 0,
                 .params = windowParams(what.window, in[0].shape, out.shape, out.shape.size(), row,
                                        std::min(row + rows, what.window.height)),
                 .invocations = out.shape.size()};
        l.params.add(in[1].shape[3]);
        launch(gpu, l);
    }
}

}  // namespace stile::kernels
