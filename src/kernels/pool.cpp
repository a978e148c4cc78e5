#include <vector>

#include "kernels/kernels.hpp"
#include "kernels/window.hpp"

namespace stile::kernels {
namespace {

const char* defineOf(prim::Pooling kind) {
    switch (kind) {
        case prim::Pooling::max: return "";
        case prim::Pooling::average: return "#define AVERAGE\n";
        case prim::Pooling::dilation: return "#define DILATION\n";
        case prim::Pooling::place: return "#define PLACE 0\n";
        case prim::Pooling::placeInBatch: return "#define PLACE 1\n";
    }
    return "";
}

}  // namespace

void run(gl::Gpu& gpu, const prim::Pool& what, Operands in, const Operand& out) {
    const bool wide = out.shape[3] % 4 == 0;
    const std::int64_t lanes = wide ? 4 : 1, invocations = out.shape.size() / lanes;
    const gl::View values{in[0].dtype != DType::float32, wide};
    // At each position there is a loop over the lanes.
    const std::vector<WindowPart> parts = partsOf(what.window, lanes + 1);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        Launch l{.file = "pool.comp",
                 .code = defineOf(what.kind),
                 .output = {out.buffer.get(), {out.dtype != DType::float32, wide}},
                 .accumulates = i > 0,
                 .params = windowParams(what.window, in[0].shape, out.shape, invocations, parts[i]),
                 .invocations = invocations};
        addWindowDivisors(l.params, out.shape, lanes, 1);
        for (const Operand& operand : in) l.inputs.push_back({operand.buffer.get(), values});
        if (wide) l.code += "#define WIDE\n";
        if (values.integer) l.code += "#define INTEGER\n";
        if (i > 0) l.code += "#define ACCUMULATE\n";
        if (i + 1 == parts.size()) l.code += "#define LAST\n";
        launch(gpu, l);
    }
}

}  // namespace stile::kernels
