#pragma once

#include <cstdint>
#include <optional>

#include <stile/export.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

/// How an image is padded before a window slides over it.
struct Padding {
    /// How the amounts are found.
    enum class Kind : std::uint8_t { valid, same, amounts };

    /// No padding.
    static constexpr Padding valid() { return {}; }
    /// So much that the output has ceil(input / stride) positions; the odd one goes below, to the right and behind.
    static constexpr Padding same() { return {.kind = Kind::same}; }
    /// The given rows and columns of zeros.
    static constexpr Padding amounts(std::int64_t top, std::int64_t bottom, std::int64_t left, std::int64_t right) {
        return {.kind = Kind::amounts, .top = top, .bottom = bottom, .left = left, .right = right};
    }
    /// In front of and behind a line: of `conv1d`.
    static constexpr Padding amounts(std::int64_t before, std::int64_t after) { return amounts(0, 0, before, after); }
    /// Of a volume.
    static constexpr Padding amounts(std::int64_t front, std::int64_t back, std::int64_t top, std::int64_t bottom,
                                     std::int64_t left, std::int64_t right) {
        Padding padding = amounts(top, bottom, left, right);
        padding.front = front;
        padding.back = back;
        return padding;
    }
    /// The same amount on every side.
    static constexpr Padding all(std::int64_t amount) { return amounts(amount, amount, amount, amount, amount, amount); }

    Kind kind = Kind::valid;  ///< which of the three
    std::int64_t top = 0;     ///< rows above, for `amounts`
    std::int64_t bottom = 0;  ///< rows below
    std::int64_t left = 0;    ///< columns before
    std::int64_t right = 0;   ///< columns behind
    std::int64_t front = 0;   ///< planes before, of a volume
    std::int64_t back = 0;    ///< planes behind
};

/// How the number of windows is rounded that fit into an image padded in amounts. Where none is chosen, `floor`. With the other
/// paddings a choice is an error.
enum class Rounding : std::uint8_t { floor, ceil, round };

/// The order of the axes: batch, height, width, channels, or channels before height. So for lines and volumes too: channels
/// last, or directly after the batch.
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

/// Three numbers (depth, height, width) that a single one fills.
struct Triple {
    /// The same in all directions.
    constexpr Triple(std::int64_t each) : depth(each), height(each), width(each) {}
    /// One for each direction.
    constexpr Triple(std::int64_t d, std::int64_t h, std::int64_t w) : depth(d), height(h), width(w) {}
    std::int64_t depth;   ///< along the planes' axis
    std::int64_t height;  ///< along the rows' axis
    std::int64_t width;   ///< along the columns' axis
};

/// The geometry of a convolution.
struct ConvOptions {
    Pair strides = 1;                      ///< steps between windows
    Padding padding = Padding::valid();    ///< around the image
    Pair dilations = 1;                    ///< steps between the taps of a filter
    DataFormat format = DataFormat::nhwc;  ///< of the images; filters have one order
    std::optional<Rounding> rounding{};    ///< of the number of windows, for padding in amounts
};

/// The geometry of a convolution over lines.
struct Conv1dOptions {
    std::int64_t stride = 1;               ///< steps between windows
    Padding padding = Padding::valid();    ///< around the line
    std::int64_t dilation = 1;             ///< steps between the taps of a filter
    DataFormat format = DataFormat::nhwc;  ///< of the lines; filters have one order
    std::optional<Rounding> rounding{};    ///< of the number of windows, for padding in amounts
};

/// The geometry of a convolution over volumes.
struct Conv3dOptions {
    Triple strides = 1;                    ///< steps between windows
    Padding padding = Padding::valid();    ///< around the volume
    Triple dilations = 1;                  ///< steps between the taps of a filter
    DataFormat format = DataFormat::nhwc;  ///< of the volumes; filters have one order
    std::optional<Rounding> rounding{};    ///< of the number of windows, for padding in amounts
};

// Convolutions, as neural networks call cross-correlation: result[y, x, o] = Σ input[y · stride - padding + i · dilation, …, c] ·
// filter[i, j, c, o] over the filter's taps and the channels; outside the input there are zeros. float32 only. All throw Error
// `invalid_argument`, with the operation's name and the shapes, for wrong ranks, channels that differ, strides or dilations below 1
// or both above 1, and negative padding; `wrong_dtype` for other dtypes.

/// Over lines [batch, width, channels] (or one without batch; channels first for nchw) with filters
/// [width, channels, outChannels] → [batch, outWidth, outChannels].
[[nodiscard]] Tensor conv1d(const Tensor& x, const Tensor& filter, const Conv1dOptions& options = {});

/// Over images [batch, height, width, channels] (or one without batch; channels first for nchw) with filters
/// [height, width, channels, outChannels] → [batch, outHeight, outWidth, outChannels].
[[nodiscard]] Tensor conv2d(const Tensor& x, const Tensor& filter, const ConvOptions& options = {});

/// Over volumes [batch, depth, height, width, channels] (or one without batch; channels first for nchw) with filters
/// [depth, height, width, channels, outChannels] → [batch, outDepth, outHeight, outWidth, outChannels]. Takes memory for the
/// volumes once for each plane of the filter.
[[nodiscard]] Tensor conv3d(const Tensor& x, const Tensor& filter, const Conv3dOptions& options = {});

/// The transpose of `conv2d`, and its gradient with respect to the input: x [batch, height, width, channels] (or one without
/// batch) with filters [height, width, outChannels, channels] → outputShape, [batch, outHeight, outWidth, outChannels]. The
/// geometry is that of a convolution from outputShape; positions of x beyond those that it has take no part.
/// \throws Error `invalid_argument` too if x has fewer positions than that, or another batch.
[[nodiscard]] Tensor conv2dTranspose(const Tensor& x, const Tensor& filter, const Shape& outputShape,
                                     const ConvOptions& options = {});

/// The transpose of `conv3d`: x [batch, depth, height, width, channels] (or one without batch) with filters
/// [depth, height, width, outChannels, channels] → outputShape. See `conv2dTranspose`.
[[nodiscard]] Tensor conv3dTranspose(const Tensor& x, const Tensor& filter, const Shape& outputShape,
                                     const Conv3dOptions& options = {});

/// Each channel with its own filters: images as in `conv2d`, filters [height, width, channels, multiplier] →
/// channels · multiplier output channels, grouped by input channel.
[[nodiscard]] Tensor depthwiseConv2d(const Tensor& x, const Tensor& filter, const ConvOptions& options = {});

/// `depthwiseConv2d`, then a convolution of its channels alone, with filters [1, 1, channels · multiplier, outChannels].
[[nodiscard]] Tensor separableConv2d(const Tensor& x, const Tensor& depthwiseFilter, const Tensor& pointwiseFilter,
                                     const ConvOptions& options = {});

/// Grey-scale dilation, convolution with maximum for sum and sum for product: images as in `conv2d`, filters
/// [height, width, channels] → [batch, outHeight, outWidth, channels]. Padding does not count; NaNs are passed over (-∞ if there is
/// nothing else). float32 or int32. Strides and dilations may both be above 1.
[[nodiscard]] Tensor dilation2d(const Tensor& x, const Tensor& filter, const ConvOptions& options = {});

}  // namespace stile
