#pragma once

#include <string_view>
#include <vector>

#include <stile/export.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

/// Einstein's summation: `einsum("bij,bjk->bik", {a, b})`. Each operand has a letter for each of its axes; letters that the result
/// does not name are summed over. `...` stands for any further axes, which broadcast by NumPy's rule and have to be in the result.
/// Blanks do not matter.
/// float32, or int32 (wrapping) for int32 and bool. Operands are multiplied two at a time, from the left, by `matMul` where something
/// is summed over; the result of each must have a rank that a tensor may have.
/// \throws Error `invalid_argument` for an equation that does not go with the shapes, and for a letter that stands twice in one
/// operand or in the result.
[[nodiscard]] Tensor einsum(std::string_view equation, const std::vector<Tensor>& operands);

}  // namespace stile
