#pragma once

#include <stile/export.hpp>
#include <stile/ops/conv.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

/// The geometry of a pooling window.
struct PoolOptions {
    Pair strides = 1;                     ///< steps between windows
    Padding padding = Padding::valid();   ///< around the image
    Rounding rounding = Rounding::exact;  ///< of the number of windows, for padding in amounts
};

/// The largest value in each window of images [batch, height, width, channels] (or one without batch); NaNs are
/// passed over (-∞ if there is nothing else); padding does not count. float32 or int32. \throws Error `invalid_argument` for wrong ranks or sizes.
[[nodiscard]] Tensor maxPool(const Tensor& x, Pair window, const PoolOptions& options = {});

/// The mean of each window; padding is left out of sum and count. float32. \throws as `maxPool`, and `wrong_dtype`.
[[nodiscard]] Tensor avgPool(const Tensor& x, Pair window, const PoolOptions& options = {});

}  // namespace stile
