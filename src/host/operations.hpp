#pragma once

#include "host/elements.hpp"
#include "tensor/elementwise.hpp"

namespace stile::host {

/// The operands and parameters of an element-wise operation; the operands as bits of the dtype that it is computed in.
struct Arguments {
    Word a = 0, b = 0, c = 0;
    float p = 0, q = 0;
};

/// The same operation as a row of tensor/elementwise.cpp, in float32 and in int32; null where the row has no such formula.
struct Operation {
    Word (*real)(const Arguments&) = nullptr;
    Word (*integer)(const Arguments&) = nullptr;
};

[[nodiscard]] const Operation& operation(detail::Op op) noexcept;

}  // namespace stile::host
