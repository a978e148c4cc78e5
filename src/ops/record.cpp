#include <algorithm>
#include <numeric>

#include "host/host.hpp"
#include "ops/check.hpp"
#include "ops/on_host.hpp"
#include "stile/ops/complex.hpp"

namespace stile::ops {
namespace {

namespace prim = detail::prim;

/// What computes nothing: each element of the result is one of an input, or a constant.
bool moves(const detail::Primitive& what) {
    const auto* scatter = std::get_if<prim::Scatter>(&what);
    if (scatter) return scatter->combine == prim::Combine::last;
    return std::holds_alternative<prim::Strided>(what) || std::holds_alternative<prim::Pad>(what) ||
           std::holds_alternative<prim::Concat>(what) || std::holds_alternative<prim::Gather>(what);
}

/// Moves the numbers of the strings in place of them; number 0 is the empty string.
Tensor moveStrings(const char* op, const detail::Primitive& what, const Shape& shape, const std::vector<Tensor>& inputs) {
    std::vector<const std::string*> known{nullptr};
    std::vector<std::vector<std::int32_t>> numbers;
    std::vector<host::Operand> in;
    for (const Tensor& x : inputs) {
        std::vector<std::int32_t>& words = numbers.emplace_back();
        if (x.dtype() == DType::string) {
            words.resize(static_cast<std::size_t>(x.size()));
            std::iota(words.begin(), words.end(), static_cast<std::int32_t>(known.size()));
            for (const std::string& each : elementsOf<std::string>(x)) known.push_back(&each);
        } else {
            const auto values = detail::hostValues(*x.node());
            if (!values)
                fail(op, "of strings with indices {} that are not on the host: result {}", toString(x.shape()),
                     toString(shape));
            const auto elements = detail::elementsOf<std::int32_t>(values->bytes);
            words.assign(elements.begin(), elements.end());
        }
        in.push_back({reinterpret_cast<std::byte*>(words.data()), x.shape(), DType::int32});
    }
    std::vector<std::int32_t> moved(static_cast<std::size_t>(shape.size()));
    const host::Operand out{reinterpret_cast<std::byte*>(moved.data()), shape, DType::int32};
    if (!moved.empty()) {
        std::visit(
            [&](const auto& move) {
                if constexpr (requires { host::run(move, in, out); }) {
                    host::run(move, in, out);
                } else {
                    fail(op, "cannot move strings, x {}", toString(inputs.front().shape()));
                }
            },
            what);
    }
    std::vector<std::string> strings;
    strings.reserve(moved.size());
    for (const std::int32_t number : moved) strings.push_back(number == 0 ? "" : *known[static_cast<std::size_t>(number)]);
    return onHost(op, shape, std::move(strings));
}

Tensor moveComplex(const char* op, const detail::Primitive& what, const Shape& shape, const std::vector<Tensor>& inputs) {
    const auto part = [&](Tensor (*of)(const Tensor&), const detail::Primitive& move) {
        std::vector<Tensor> parts;
        for (const Tensor& x : inputs) parts.push_back(x.dtype() == DType::complex64 ? of(x) : x);
        return record(op, move, shape, DType::float32, parts);
    };
    detail::Primitive imaginary = what;
    if (auto* padding = std::get_if<prim::Pad>(&imaginary)) padding->bits = 0;
    return complex(part(real, what), part(imag, imaginary));
}

}  // namespace

Tensor record(const char* op, detail::Primitive what, const Shape& shape, DType dtype, const std::vector<Tensor>& inputs) {
    if (dtype == DType::string && moves(what)) return moveStrings(op, what, shape, inputs);
    // Sums of complex numbers are sums of their parts.
    const bool byParts = moves(what) || std::holds_alternative<prim::Scatter>(what);
    if (dtype == DType::complex64 && byParts) return moveComplex(op, what, shape, inputs);
    std::vector<detail::NodePtr> nodes;
    nodes.reserve(inputs.size());
    for (const Tensor& input : inputs) nodes.push_back(input.node());
    return Tensor(detail::record(std::move(what), op, shape, dtype, std::move(nodes)));
}

}  // namespace stile::ops
