#include "onednn.hpp"

#include <dnnl.hpp>

#include <cstddef>
#include <cstring>
#include <memory>
#include <unordered_map>
#include <utility>

namespace bench {
namespace {

using dnnl::memory;

/// A primitive with memory for all that it needs.
struct Work {
    dnnl::engine engine{dnnl::engine::kind::cpu, 0};
    dnnl::stream stream{engine};
    dnnl::primitive primitive{};
    std::unordered_map<int, memory> arguments{};

    void bind(int argument, const memory::desc& desc) {
        memory made(desc, engine);
        // Any values do, but denormal ones.
        std::memset(made.get_data_handle(), 0, desc.get_size());
        arguments.emplace(argument, std::move(made));
    }
    void run() {
        primitive.execute(stream, arguments);
        stream.wait();
    }
};

Bound boundOf(const std::shared_ptr<Work>& work) {
    return {"oneDNN", timed([work] { work->run(); })};
}

constexpr auto f32 = memory::data_type::f32;

}  // namespace

Bound onednnMatMul(std::int64_t batch, std::int64_t rows, std::int64_t inner, std::int64_t columns) {
    const auto work = std::make_shared<Work>();
    const auto desc = [batch](std::int64_t m, std::int64_t n) {
        return memory::desc({batch, m, n}, f32, memory::format_tag::abc);
    };
    const dnnl::matmul::primitive_desc what({desc(rows, inner), desc(inner, columns), desc(rows, columns)}, work->engine);
    work->primitive = dnnl::matmul(what);
    work->bind(DNNL_ARG_SRC, what.src_desc());
    work->bind(DNNL_ARG_WEIGHTS, what.weights_desc());
    work->bind(DNNL_ARG_DST, what.dst_desc());
    return boundOf(work);
}

Bound onednnConv(const ConvWork& c) {
    const auto work = std::make_shared<Work>();
    using Conv = dnnl::convolution_forward;
    const std::int64_t out = (c.size + c.stride - 1) / c.stride;
    const std::int64_t padding = std::max<std::int64_t>(0, (out - 1) * c.stride + c.taps - c.size);
    const std::int64_t before = padding / 2, behind = padding - before;
    const auto nhwc = memory::format_tag::nhwc, any = memory::format_tag::any;
    const memory::desc filter = c.depthwise ? memory::desc({c.channels, 1, 1, c.taps, c.taps}, f32, any)
                                            : memory::desc({c.filters, c.channels, c.taps, c.taps}, f32, any);
    const Conv::primitive_desc what(
        {dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
         memory::desc({1, c.channels, c.size, c.size}, f32, nhwc), filter,
         memory::desc({1, c.depthwise ? c.channels : c.filters, out, out}, f32, nhwc), memory::dims{c.stride, c.stride},
         memory::dims{before, before}, memory::dims{behind, behind}},
        work->engine);
    work->primitive = Conv(what);
    work->bind(DNNL_ARG_SRC, what.src_desc());
    work->bind(DNNL_ARG_WEIGHTS, what.weights_desc());
    work->bind(DNNL_ARG_DST, what.dst_desc());
    return boundOf(work);
}

}  // namespace bench
