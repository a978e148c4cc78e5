#include <algorithm>
#include <numeric>
#include <vector>

#include "host/elements.hpp"
#include "host/host.hpp"
#include "host/numbers.hpp"

namespace stile::host {
namespace {

/// NaNs come last, in either order.
template <class T>
bool before(const prim::Sort& what, T a, T b) {
    if (a != a || b != b) return a == a;
    return what.descending ? a > b : a < b;
}

template <class T>
void sort(const prim::Sort& what, const Operand& x, const Operand& out) {
    std::vector<Int> order(static_cast<std::size_t>(what.extent));
    for (std::int64_t row = 0; row < what.rows; ++row) {
        std::iota(order.begin(), order.end(), 0);
        const auto value = [&](Int i) { return get<T>(x.data, row * what.extent + i); };
        std::ranges::stable_sort(order, [&](Int a, Int b) { return before(what, value(a), value(b)); });
        for (std::int64_t k = 0; k < what.kept; ++k) put(out.data, row * what.kept + k, order[static_cast<std::size_t>(k)]);
    }
}

template <class T>
void search(const prim::Search& what, Operands in, const Operand& out) {
    for (std::int64_t i = 0; i < out.shape.size(); ++i) {
        const T value = get<T>(in[1].data, i);
        Int low = 0, high = static_cast<Int>(what.extent);
        while (low < high) {
            const Int middle = low + (high - low) / 2;
            const T at = get<T>(in[0].data, i / what.count * what.extent + middle);
            (what.upper ? at <= value : at < value) ? low = middle + 1 : high = middle;
        }
        put(out.data, i, low);
    }
}

}  // namespace

void run(const prim::Sort& what, Operands in, const Operand& out) {
    in[0].dtype == DType::float32 ? sort<float>(what, in[0], out) : sort<Int>(what, in[0], out);
}

void run(const prim::Search& what, Operands in, const Operand& out) {
    in[0].dtype == DType::float32 ? search<float>(what, in, out) : search<Int>(what, in, out);
}

}  // namespace stile::host
