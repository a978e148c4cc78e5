#include <vector>

#include "host/elements.hpp"
#include "host/host.hpp"
#include "host/numbers.hpp"

namespace stile::host {
namespace {

/// The element of an operand that broadcasts to a shape, at a position of it.
Word broadcastAt(const Operand& x, const Shape& shape, std::int64_t i) {
    std::int64_t at = 0, stride = 1;
    for (int axis = 1; axis <= x.shape.rank(); ++axis) {
        at += i % shape[-axis] % x.shape[-axis] * stride;
        i /= shape[-axis];
        stride *= x.shape[-axis];
    }
    return get<Word>(x.data, at);
}

}  // namespace

void run(const prim::Scatter& what, Operands in, const Operand& out) {
    const bool real = out.dtype == DType::float32, sums = what.combine == prim::Combine::sum;
    for (std::int64_t i = 0; i < out.shape.size(); ++i) {
        put(out.data, i, in.size() > 2 ? broadcastAt(in[2], out.shape, i) : Word{0});
    }
    std::vector<double> totals(sums && real ? static_cast<std::size_t>(out.shape.size()) : 0);
    for (std::int64_t i = 0; i < what.count * what.inner; ++i) {
        const auto row = get<Int>(in[0].data, i / what.inner);
        if (row < 0 || row >= what.extent) continue;
        const std::int64_t to = row * what.inner + i % what.inner, from = in[1].shape.size() == 1 ? 0 : i;
        if (!sums) {
            put(out.data, to, get<Word>(in[1].data, from));
        } else if (real) {
            totals[static_cast<std::size_t>(to)] += static_cast<double>(get<float>(in[1].data, from));
        } else {
            const auto before = get<Int>(out.data, to), more = get<Int>(in[1].data, from);
            put(out.data, to, out.dtype == DType::boolean ? before | more : added(before, more));
        }
    }
    for (std::size_t i = 0; i < totals.size(); ++i) {
        const auto at = static_cast<std::int64_t>(i);
        put(out.data, at, static_cast<float>(static_cast<double>(get<float>(out.data, at)) + totals[i]));
    }
}

}  // namespace stile::host
