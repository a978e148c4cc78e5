#pragma once

#include "cpu/step.hpp"

namespace stile::cpu {

/// O(n): by the digits of the values; the first few of many in one pass.
[[nodiscard]] Steps prepare(const prim::Sort& what, Operands in, const Operand& out);

}  // namespace stile::cpu
