#pragma once

#include <cstdint>

#include <stile/export.hpp>
#include <stile/shape.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

// Operations that put values where indices say. Indices are int32: [n…, d] names n… places by the coordinates along the first d
// axes of the result, [n] by the coordinate along the first. An index that is out of range throws `invalid_argument` at the call
// if the indices are known there (made from values on the CPU); if a device computes them, what it would place is left out, and
// with STILE_DEBUG=1 the operation fails and names the index. What meets in one place gives the same result on every run: sums of
// floats are added in a fixed order, in blocks, so that their error grows with the logarithm of their number.
// All throw Error `invalid_argument` for shapes that do not fit and `wrong_dtype` for indices that are not int32.

/// Zeros of `shape` with `updates` [n…, shape[d…]] at `indices`; where several meet, their sum (of bools: or). The dtype of the
/// updates. O(u log² u) for u float32 updates, O(u) for others.
[[nodiscard]] Tensor scatterND(const Tensor& indices, const Tensor& updates, const Shape& shape);
/// `x` with `updates` in place of what is at `indices`; where several meet, the last. Both of one dtype.
[[nodiscard]] Tensor tensorScatterUpdate(const Tensor& x, const Tensor& indices, const Tensor& updates);
/// A tensor of `shape` filled with a scalar, with `values` at `indices`: a scalar, [n] or [n, rank]. The values are [n], or a scalar for
/// all; where several meet, the last. Values and default of one dtype. \throws `wrong_dtype` otherwise.
[[nodiscard]] Tensor sparseToDense(const Tensor& indices, const Tensor& values, const Shape& shape, const Tensor& defaultValue);
/// The same, filled with zeros.
[[nodiscard]] Tensor sparseToDense(const Tensor& indices, const Tensor& values, const Shape& shape);
/// Sums the rows of x that have the same id: y[s] = Σ x[i] over all i with segmentIds[i] = s. The ids' shape is that of the first
/// axes of x, which give way to one of `segments`. Rows with other ids are left out. float32, or int32 for int32 and bool.
[[nodiscard]] Tensor unsortedSegmentSum(const Tensor& x, const Tensor& segmentIds, std::int64_t segments);

/// How often each number from 0 to size - 1 comes up in x (int32), or the sum of the weights that stand where it does. The
/// weights have the shape of x; empty ones count 1 each. Shape [size], dtype of the weights (bool: int32). Numbers from size on are
/// left out. \throws `invalid_argument` also for a negative size, or a negative number that is known at the call.
[[nodiscard]] Tensor bincount(const Tensor& x, const Tensor& weights, std::int64_t size);
/// The same for each row of x [n] or [batch, n]: shape [size] or [batch, size]. With `binaryOutput` 1 for what comes up at all, whatever
/// the weights.
[[nodiscard]] Tensor denseBincount(const Tensor& x, const Tensor& weights, std::int64_t size, bool binaryOutput = false);

}  // namespace stile
