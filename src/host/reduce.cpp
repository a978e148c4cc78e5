#include <bit>
#include <optional>
#include <vector>

#include "host/chain.hpp"
#include "host/host.hpp"
#include "host/numbers.hpp"

namespace stile::host {
namespace {

using prim::Reduction;

/// What one output has gathered so far.
struct Total {
    double real = 0;
    float extreme = 0;  ///< of max and min
    Int integer = 0;
    std::int64_t index = -1;  ///< of argMax and argMin: the best so far, -1 before the first that is a number
};

Total identity(Reduction kind) {
    switch (kind) {
        case Reduction::prod: return {.real = 1, .integer = 1};
        case Reduction::max: return {.extreme = -infinity, .integer = leastInt};
        case Reduction::min: return {.extreme = infinity, .integer = greatestInt};
        case Reduction::all: return {.integer = 1};
        default: return {};
    }
}

void combine(Reduction kind, Total& total, float value) {
    switch (kind) {
        case Reduction::prod: total.real *= static_cast<double>(value); break;
        case Reduction::max: total.extreme = maximum(total.extreme, value); break;
        case Reduction::min: total.extreme = minimum(total.extreme, value); break;
        default: total.real += static_cast<double>(value); break;
    }
}
void combine(Reduction kind, Total& total, Int value) {
    switch (kind) {
        case Reduction::prod: total.integer = multiplied(total.integer, value); break;
        case Reduction::max:
        case Reduction::any: total.integer = std::max(total.integer, value); break;
        case Reduction::min:
        case Reduction::all: total.integer = std::min(total.integer, value); break;
        default: total.integer = added(total.integer, value); break;
    }
}

/// The first of the best; NaNs are passed over.
template <class T>
void prefer(Reduction kind, Total& total, T& best, T value, std::int64_t index) {
    if (value != value) return;
    if (total.index >= 0 && !(kind == Reduction::argMax ? value > best : value < best)) return;
    best = value;
    total.index = index;
}

}  // namespace

void reduce(const prim::Reduce& what, const kernels::Expression& expression, std::span<const std::byte* const> leaves,
            const Operand& out) {
    const Shape& shape = expression.shape;
    const bool real = expression.dtype() == DType::float32;
    const bool arg = what.kind == Reduction::argMax || what.kind == Reduction::argMin;
    const std::int64_t count = shape.size() / out.shape.size();
    std::vector<Total> totals(static_cast<std::size_t>(out.shape.size()), identity(what.kind));
    Chain chain(expression, leaves);
    for (std::int64_t i = 0; i < shape.size(); ++i) {
        // Which output this element belongs to, and which of its elements it is.
        std::int64_t output = 0, outer = 1, inner = 0, step = 1, rest = i;
        for (int axis = shape.rank() - 1; axis >= 0; --axis) {
            const bool reduced = (what.axes >> static_cast<unsigned>(axis) & 1U) != 0;
            std::int64_t& index = reduced ? inner : output;
            std::int64_t& stride = reduced ? step : outer;
            index += rest % shape[axis] * stride;
            stride *= shape[axis];
            rest /= shape[axis];
        }
        Total& total = totals[static_cast<std::size_t>(output)];
        const Word bits = chain.at(i);
        const auto f = std::bit_cast<float>(bits);
        const auto n = static_cast<Int>(bits);
        if (arg) {
            real ? prefer(what.kind, total, total.extreme, f, inner) : prefer(what.kind, total, total.integer, n, inner);
        } else {
            real ? combine(what.kind, total, f) : combine(what.kind, total, n);
        }
    }
    for (std::int64_t i = 0; i < out.shape.size(); ++i) {
        const Total& total = totals[static_cast<std::size_t>(i)];
        if (arg) {
            put(out.data, i, static_cast<Int>(std::max<std::int64_t>(total.index, 0)));
        } else if (!real) {
            put(out.data, i, total.integer);
        } else if (what.kind == Reduction::max || what.kind == Reduction::min) {
            put(out.data, i, total.extreme);
        } else {
            put(out.data, i,
                static_cast<float>(what.kind == Reduction::mean ? total.real / static_cast<double>(count) : total.real));
        }
    }
}

}  // namespace stile::host
