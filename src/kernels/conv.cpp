#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "kernels/kernels.hpp"
#include "kernels/window.hpp"

namespace stile::kernels {

void run(gl::Gpu& gpu, const prim::Conv2d& what, Operands in, const Operand& out) {
    const Shape& x = in[0].shape;
    const std::int64_t channels = x[3], outChannels = out.shape[3];
    const int wideIn = channels % 4 == 0 ? 4 : 1, wideOut = outChannels % 4 == 0 ? 4 : 1;
    const std::int64_t tiles = (out.shape[2] + 3) / 4;
    const std::int64_t invocations = out.shape[0] * out.shape[1] * tiles * (outChannels / wideOut);
    // The filter is walked in passes over its positions and input channels, so that no invocation loops too often. At each
    // position there are two loops over the columns of an invocation, the second once for every step over the channels.
    constexpr std::int64_t columns = 4;
    const std::int64_t stepsInPass = std::clamp<std::int64_t>(channels / wideIn, 1, longestLoop / (columns + 1) - 1);
    const std::int64_t channelsInPass = stepsInPass * wideIn;
    const std::vector<WindowPart> parts = partsOf(what.window, (columns + 1) * (stepsInPass + 1));
    bool first = true;
    for (const WindowPart& part : parts) {
        // Without channels one pass writes the zeros.
        for (std::int64_t channel = 0; channel < channels || first; channel += channelsInPass) {
            Launch l{.file = "conv2d.comp",
                     .inputs = {{in[0].buffer.get(), {false, wideIn == 4}}, {in[1].buffer.get(), {false, wideOut == 4}}},
                     .output = {out.buffer.get(), {false, wideOut == 4}},
                     .accumulates = !first,
                     .params = windowParams(what.window, x, out.shape, invocations, part),
                     .invocations = invocations};
            l.params.add(channel);
            l.params.add(std::min(channel + channelsInPass, channels));
            l.code = fmt::format("#define IN {}\n#define OUT {}\n{}{}", wideIn, wideOut,
                                 what.transposed ? "#define TRANSPOSED\n" : "", first ? "" : "#define ACCUMULATE\n");
            launch(gpu, l);
            first = false;
        }
    }
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
