#pragma once

#include <stile/export.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

/// The matrix product of the last two axes: [..., m, k] × [..., k, n] → [..., m, n]. The leading axes broadcast. float32 or
/// int32 (wrapping). With a transpose flag the last two axes of that operand are swapped first.
/// \throws Error `invalid_argument` for a rank below 2, different k, or leading axes that do not broadcast.
[[nodiscard]] Tensor matMul(const Tensor& a, const Tensor& b, bool transposeA = false, bool transposeB = false);

/// The product of vectors and matrices: [n]·[n] → [], [m, n]·[n] → [m], [n]·[n, k] → [k], [m, n]·[n, k] → [m, k]. dtypes as `matMul`.
/// \throws Error `invalid_argument` for other ranks or different n.
[[nodiscard]] Tensor dot(const Tensor& a, const Tensor& b);
/// The products of all pairs of two vectors: [m], [n] → [m, n]. \throws Error `invalid_argument` for other ranks.
[[nodiscard]] Tensor outerProduct(const Tensor& a, const Tensor& b);

}  // namespace stile
