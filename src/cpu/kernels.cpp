#include "cpu/kernels.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cpu/sort.hpp"

namespace stile::cpu {
namespace {

using detail::Primitive;

struct Row {
    bool (*is)(const Primitive& what);
    Steps (*prepare)(OneDnn& oneDnn, const Primitive& what, Operands in, const Operand& out);
};

template <class What>
constexpr Row oneDnn() {
    return {[](const Primitive& what) { return std::holds_alternative<What>(what); },
            [](OneDnn& library, const Primitive& what, Operands in, const Operand& out) {
                return library.prepare(std::get<What>(what), in, out);
            }};
}

template <class What>
constexpr Row own() {
    return {[](const Primitive& what) { return std::holds_alternative<What>(what); },
            [](OneDnn&, const Primitive& what, Operands in, const Operand& out) {
                return cpu::prepare(std::get<What>(what), in, out);
            }};
}

/// The primitives that have a kernel here.
constexpr std::array table{
    oneDnn<prim::MatMul>(),
    oneDnn<prim::Conv2d>(),
    oneDnn<prim::DepthwiseConv2d>(),
    own<prim::Sort>(),
};

bool isMapped(const Operand& operand) { return operand.buffer->mapped() != nullptr; }

bool wanted() {
    const char* text = std::getenv("STILE_HOST_KERNELS");
    return !(text && std::string_view(text) == "0");
}

}  // namespace

Kernels::Kernels(bool on) : on_(on && wanted()) {}

Steps Kernels::prepare(const Primitive& what, Operands in, const Operand& out) {
    if (!on_ || !isMapped(out) || !std::ranges::all_of(in, isMapped)) return {};
    const auto row = std::ranges::find_if(table, [&](const Row& r) { return r.is(what); });
    if (row == table.end()) return {};
    Steps steps = row->prepare(oneDnn_, what, in, out);
    std::vector<std::shared_ptr<gl::Buffer>> buffers{out.buffer};
    for (const Operand& operand : in) buffers.push_back(operand.buffer);
    const auto held = std::make_shared<const std::vector<std::shared_ptr<gl::Buffer>>>(std::move(buffers));
    for (Step& step : steps) step.run = [held, run = std::move(step.run)] { run(); };
    return steps;
}

}  // namespace stile::cpu
