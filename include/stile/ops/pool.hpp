#pragma once

#include <cstdint>
#include <optional>

#include <stile/export.hpp>
#include <stile/ops/conv.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

/// The geometry of a pooling window.
struct PoolOptions {
    Pair strides = 1;                    ///< steps between windows
    Padding padding = Padding::valid();  ///< around the image
    Pair dilations = 1;                  ///< steps between the positions of a window
    std::optional<Rounding> rounding{};  ///< of the number of windows, for padding in amounts
};

/// The geometry of a pooling window over volumes.
struct Pool3dOptions {
    Triple strides = 1;                    ///< steps between windows
    Padding padding = Padding::valid();    ///< around the volume
    Triple dilations = 1;                  ///< steps between the positions of a window
    DataFormat format = DataFormat::nhwc;  ///< channels last, or directly after the batch
    std::optional<Rounding> rounding{};    ///< of the number of windows, for padding in amounts
};

/// What `pool` keeps of a window.
enum class Pooling : std::uint8_t { max, average };

// Pooling of images [batch, height, width, channels] (or one without batch), or of volumes [batch, depth, height, width, channels].
// Padding counts neither in a maximum nor in a mean. All throw Error `invalid_argument`, with the operation's name and the shapes,
// for wrong ranks, windows, strides or dilations below 1, strides and dilations that are both above 1, and negative padding;
// `wrong_dtype` for bool, and for the mean of int32.

/// The largest value in each window; NaNs are passed over (-∞ if there is nothing else). float32 or int32.
[[nodiscard]] Tensor maxPool(const Tensor& x, Pair window, const PoolOptions& options = {});
/// The mean of each window. float32.
[[nodiscard]] Tensor avgPool(const Tensor& x, Pair window, const PoolOptions& options = {});
/// `maxPool` or `avgPool`.
[[nodiscard]] Tensor pool(const Tensor& x, Pair window, Pooling kind, const PoolOptions& options = {});

/// The largest value in each window of volumes; see `maxPool`.
[[nodiscard]] Tensor maxPool3d(const Tensor& x, Triple window, const Pool3dOptions& options = {});
/// The mean of each window of volumes; see `avgPool`.
[[nodiscard]] Tensor avgPool3d(const Tensor& x, Triple window, const Pool3dOptions& options = {});

/// What `maxPoolWithArgmax` gives.
struct MaxPoolWithArgmax {
    Tensor result;   ///< as of `maxPool`
    Tensor indexes;  ///< int32: where the first of the largest is; -1 for a window with nothing but NaN or padding
};
/// The largest value in each window of images [batch, height, width, channels] and its place: (y · width + x) · channels + channel,
/// counted from the first image of the batch if `includeBatchInIndex`.
[[nodiscard]] MaxPoolWithArgmax maxPoolWithArgmax(const Tensor& x, Pair window, const PoolOptions& options = {},
                                                  bool includeBatchInIndex = false);

}  // namespace stile
