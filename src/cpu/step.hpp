#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/kernels.hpp"

namespace stile::cpu {

namespace prim = detail::prim;
using kernels::Operand;
using kernels::Operands;

/// A piece of a kernel's work. The pieces run in their order; others' work may come between them.
struct Step {
    std::function<void()> run;
    double work = 0;  ///< in units of about a multiplication and an addition each
};
using Steps = std::vector<Step>;

/// The most work that a step should hold: some milliseconds.
constexpr double mostWork = 1 << 30;

/// oneDNN adds the terms of an element one after the other, and its error grows with their number: to 2e-5 at a million, 2e-2 at
/// thirty. Longer sums than this are left to the shaders, which add in blocks.
constexpr std::int64_t longestSum = std::int64_t{1} << 15;

/// The elements of a tensor whose buffer is mapped.
template <class T = float>
[[nodiscard]] T* elements(const Operand& operand) {
    static_assert(sizeof(T) == 4);
    return reinterpret_cast<T*>(operand.buffer->mapped());
}

}  // namespace stile::cpu
