#pragma once

#include <stile/export.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

/// Picks slices along an axis by int32 indices of any shape: x [batch…, outer…, n, inner…] with indices [batch…, picks…] →
/// [batch…, outer…, picks…, inner…]. An index outside 0…n-1 gives zeros. `batchDims` leading axes are shared by both.
/// \throws Error `wrong_dtype` unless the indices are int32, `invalid_argument` for an axis outside the rank or different
/// batch axes.
[[nodiscard]] Tensor gather(const Tensor& x, const Tensor& indices, int axis = 0, int batchDims = 0);

/// Picks blocks by int32 coordinates along the first axes: x [e…, inner…] with indices [n…, d] → [n…, inner…], where d says of how many
/// axes e. A coordinate out of range gives zeros. \throws Error `wrong_dtype` unless the indices are int32, `invalid_argument` for scalars and
/// more coordinates than axes.
[[nodiscard]] Tensor gatherND(const Tensor& x, const Tensor& indices);

}  // namespace stile
