#pragma once

#include <cstdint>

#include <stile/export.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

/// How an image is padded before a window slides over it.
struct Padding {
    /// How the amounts are found.
    enum class Kind : std::uint8_t { valid, same, amounts };

    /// No padding.
    static constexpr Padding valid() { return {}; }
    /// So much that the output has ceil(input / stride) positions; the odd one goes below and to the right.
    static constexpr Padding same() { return {.kind = Kind::same}; }
    /// The given rows and columns of zeros.
    static constexpr Padding amounts(std::int64_t top, std::int64_t bottom, std::int64_t left, std::int64_t right) {
        return {.kind = Kind::amounts, .top = top, .bottom = bottom, .left = left, .right = right};
    }

    Kind kind = Kind::valid;  ///< which of the three
    std::int64_t top = 0;     ///< rows above, for `amounts`
    std::int64_t bottom = 0;  ///< rows below
    std::int64_t left = 0;    ///< columns before
    std::int64_t right = 0;   ///< columns behind
};

/// What happens to the last partial window when the padding is given in amounts. Without a mode the sizes must divide; with
/// other paddings a mode is an error.
enum class Rounding : std::uint8_t { exact, floor, ceil, round };

/// The order of an image's axes: batch, height, width, channels, or channels before height.
enum class DataFormat : std::uint8_t { nhwc, nchw };

/// A pair (height, width) that a single number fills.
struct Pair {
    /// The same in both directions.
    constexpr Pair(std::int64_t both) : height(both), width(both) {}
    /// One for each direction.
    constexpr Pair(std::int64_t h, std::int64_t w) : height(h), width(w) {}
    std::int64_t height;  ///< along the rows' axis
    std::int64_t width;   ///< along the columns' axis
};

/// The geometry of a convolution.
struct ConvOptions {
    Pair strides = 1;                      ///< steps between windows
    Padding padding = Padding::valid();    ///< around the image
    Pair dilations = 1;                    ///< steps between the taps of a filter
    DataFormat format = DataFormat::nhwc;  ///< of the images; filters have one order
    Rounding rounding = Rounding::exact;   ///< of the number of windows, for padding in amounts
};

/// Cross-correlation of images [batch, height, width, channels] (or one without batch; channels first for nchw) with filters
/// [height, width, channels, outChannels] → [batch, outHeight, outWidth, outChannels]. float32.
/// \throws Error `invalid_argument` for wrong ranks, channels that differ, strides or dilations below 1, both above 1, or
/// amounts that do not divide under `Rounding::exact`; `wrong_dtype` for other dtypes.
[[nodiscard]] Tensor conv2d(const Tensor& x, const Tensor& filter, const ConvOptions& options = {});

/// Each channel with its own filters: images as in `conv2d`, filters [height, width, channels, multiplier] →
/// channels · multiplier output channels, grouped by input channel. float32. \throws as `conv2d`.
[[nodiscard]] Tensor depthwiseConv2d(const Tensor& x, const Tensor& filter, const ConvOptions& options = {});

}  // namespace stile
