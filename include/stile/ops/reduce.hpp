#pragma once

#include <stile/export.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

// Reductions over the given axes (all by default). The reduced axes vanish from the shape, or stay with extent 1 if keepDims.
// All throw Error `invalid_argument` for an axis outside the rank or named twice. The result over no elements is the identity.

/// The sum: float32 for float32, int32 (wrapping) for int32 and bool. 0 over no elements.
[[nodiscard]] Tensor sum(const Tensor& x, const Axes& axes = {}, bool keepDims = false);
/// The arithmetic mean, float32. NaN over no elements.
[[nodiscard]] Tensor mean(const Tensor& x, const Axes& axes = {}, bool keepDims = false);
/// The product: float32 for float32, int32 (wrapping) for int32 and bool. 1 over no elements.
[[nodiscard]] Tensor prod(const Tensor& x, const Axes& axes = {}, bool keepDims = false);
/// The largest; NaN if any is NaN. -∞ (int32: the least number) over no elements. bool gives int32.
[[nodiscard]] Tensor max(const Tensor& x, const Axes& axes = {}, bool keepDims = false);
/// The smallest; NaN if any is NaN. +∞ (int32: the greatest number) over no elements. bool gives int32.
[[nodiscard]] Tensor min(const Tensor& x, const Axes& axes = {}, bool keepDims = false);
/// Whether all hold; bool only.
[[nodiscard]] Tensor all(const Tensor& x, const Axes& axes = {}, bool keepDims = false);
/// Whether any holds; bool only.
[[nodiscard]] Tensor any(const Tensor& x, const Axes& axes = {}, bool keepDims = false);
/// log Σ exp(x), float32, safe for large x; -∞ over no elements, NaN if any is NaN.
[[nodiscard]] Tensor logSumExp(const Tensor& x, const Axes& axes = {}, bool keepDims = false);

/// The index of the largest along one axis, int32: the first of equals; NaNs are passed over.
/// \throws Error `invalid_argument` for an axis of no elements.
[[nodiscard]] Tensor argMax(const Tensor& x, int axis = 0);
/// The index of the smallest along one axis; see `argMax`.
[[nodiscard]] Tensor argMin(const Tensor& x, int axis = 0);

}  // namespace stile
