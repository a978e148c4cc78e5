#pragma once

#include <cstdint>

#include <stile/export.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

/// What `topk` finds.
struct TopK {
    Tensor values;   ///< dtype of x
    Tensor indices;  ///< int32: where they are along the last axis
};

/// The k largest along the last axis, the largest first; of equals the one with the lower index; NaNs come last. Without `sorted` the
/// same ones in the order in which they stand in x. Any k from 0 to the axis' length. O(n log k log n).
/// \throws Error `invalid_argument` for a scalar or another k.
[[nodiscard]] TopK topk(const Tensor& x, std::int64_t k = 1, bool sorted = true);

/// On which side of its equals a value would be put.
enum class Side {
    left,   ///< before them
    right,  ///< behind them
};

/// Where each value would be put into an ascending row so that it stays in order: the number of elements below it, with Side::right
/// of those at it too. The last axes of `sortedSequence` […, n] and `values` […, m] are the rows; as many of one as of the other. int32 of
/// shape [rows, m]. dtypes are promoted. Comparisons are those of IEEE 754: for a NaN 0. O(m log n).
/// \throws Error `invalid_argument` for scalars and different numbers of rows.
[[nodiscard]] Tensor searchSorted(const Tensor& sortedSequence, const Tensor& values, Side side = Side::left);
/// searchSorted on the left side.
[[nodiscard]] Tensor lowerBound(const Tensor& sortedSequence, const Tensor& values);
/// searchSorted on the right side.
[[nodiscard]] Tensor upperBound(const Tensor& sortedSequence, const Tensor& values);

}  // namespace stile
