#include "cpu/onednn/convolution.hpp"

#include <algorithm>
#include <string_view>

namespace stile::cpu {
namespace {

using dnnl::memory;
constexpr auto f32 = memory::data_type::f32;

/// Images of so many channels in NHWC order; oneDNN names the extents in the order NCHW whatever the memory's.
memory::desc images(std::int64_t batch, std::int64_t channels, std::int64_t height, std::int64_t width) {
    return {{batch, channels, height, width}, f32, memory::format_tag::nhwc};
}

/// The extents of a filter [height, width, channels, outputs], or of a depthwise one [height, width, groups, outputs of each].
memory::dims extentsOf(const Geometry& g) {
    const prim::Window& w = g.window;
    if (g.groups == 1) return {g.outputs, g.channels, w.height, w.width};
    return {g.groups, g.outputs / g.groups, 1, w.height, w.width};
}
memory::dims stridesOf(const Geometry& g) {
    const std::int64_t outputs = g.outputs / g.groups, place = g.channels * outputs, row = g.window.width * place;
    if (g.groups == 1) return {1, outputs, row, place};
    return {outputs, 1, place, row, place};
}

/// How far the window's last stop reaches beyond an image.
std::int64_t beyond(std::int64_t stops, std::int64_t stride, std::int64_t window, std::int64_t dilation, std::int64_t extent,
                    std::int64_t before) {
    return (stops - 1) * stride + (window - 1) * dilation + 1 - extent - before;
}

template <class Forward>
void make(Convolution& c, const Geometry& g, dnnl::algorithm algorithm, const dnnl::engine& engine) {
    const prim::Window& w = g.window;
    std::int64_t bottom = 0, right = 0;
    if (g.transposed) {  // the window slides over the result
        bottom = beyond(g.height, w.strideY, w.height, w.dilationY, g.outHeight, w.top);
        right = beyond(g.width, w.strideX, w.width, w.dilationX, g.outWidth, w.left);
    } else {
        // Where a stride leaves some of the image over it reaches less than the end.
        bottom = std::max<std::int64_t>(beyond(g.outHeight, w.strideY, w.height, w.dilationY, g.height, w.top), 0);
        right = std::max<std::int64_t>(beyond(g.outWidth, w.strideX, w.width, w.dilationX, g.width, w.left), 0);
    }
    const memory::desc any(extentsOf(g), f32, memory::format_tag::any);
    const typename Forward::desc wanted(dnnl::prop_kind::forward_inference, algorithm, c.x, any, c.out, {w.strideY, w.strideX},
                                        {w.dilationY - 1, w.dilationX - 1}, {w.top, w.left}, {bottom, right});
    const typename Forward::primitive_desc found(wanted, engine);
    // Its plain loops are slower than a shader.
    if (std::string_view(found.impl_info_str()).find("ref") != std::string_view::npos) return;
    c.ordered = found.weights_desc();
    c.order = dnnl::reorder(dnnl::reorder::primitive_desc(engine, c.filter, engine, c.ordered));
    c.convolve = Forward(found);
}

Convolution made(const Geometry& g, const dnnl::engine& engine) {
    Convolution c{.x = images(g.batch, g.channels, g.height, g.width),
                  .filter = memory::desc(extentsOf(g), f32, stridesOf(g)),
                  .out = images(g.batch, g.outputs, g.outHeight, g.outWidth)};
    try {
        if (g.transposed) {
            make<dnnl::deconvolution_forward>(c, g, dnnl::algorithm::deconvolution_direct, engine);
        } else {
            make<dnnl::convolution_forward>(c, g, dnnl::algorithm::convolution_direct, engine);
        }
    } catch (const dnnl::error&) {
        c.convolve = {};  // not for these sizes
    }
    return c;
}

}  // namespace

Convolution Convolutions::of(const Geometry& geometry) {
    const auto key = geometry.key();
    const auto found = std::ranges::find(made_, key, &Entry::first);
    if (found != made_.end()) {
        made_.splice(made_.begin(), made_, found);
    } else {
        made_.emplace_front(key, made(geometry, engine_));
        if (made_.size() > most) made_.pop_back();
    }
    return made_.front().second;
}

}  // namespace stile::cpu
