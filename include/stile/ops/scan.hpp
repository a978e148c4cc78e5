#pragma once

#include <stile/export.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

/// Which elements a running sum or product takes in.
struct ScanOptions {
    bool exclusive = false;  ///< those before an element, but not itself: the first result is 0 (of a product 1)
    bool reverse = false;    ///< from the last element on
};

/// The sum of the elements up to each, along one axis: y[i] = Σ x[0…i]. Shape of x; float32 for float32, int32 (wrapping) for int32 and bool.
/// O(n); rounding errors grow with the logarithm of the axis' length. \throws Error `invalid_argument` for an axis outside the rank.
[[nodiscard]] Tensor cumsum(const Tensor& x, int axis = 0, const ScanOptions& options = {});
/// The product of the elements up to each; see `cumsum`.
[[nodiscard]] Tensor cumprod(const Tensor& x, int axis = 0, const ScanOptions& options = {});

}  // namespace stile
