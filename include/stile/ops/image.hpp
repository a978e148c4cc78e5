#pragma once

#include <cstdint>
#include <vector>

#include <stile/export.hpp>
#include <stile/ops/conv.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {
namespace image {

/// Where a pixel of the new size is looked up.
struct ResizeOptions {
    /// The corner pixels of both sizes coincide.
    bool alignCorners = false;
    /// Pixels are taken at their centres. Not together with alignCorners.
    bool halfPixelCenters = false;
};

/// Resizes images [batch, height, width, channels] (or one without batch) by linear interpolation of four neighbours;
/// float32 whatever the dtype. \throws Error `invalid_argument` for wrong ranks, sizes below 1 or both options.
[[nodiscard]] Tensor resizeBilinear(const Tensor& images, Pair size, const ResizeOptions& options = {});

/// Resizes by the nearest neighbour; keeps the dtype. \throws as `resizeBilinear`.
[[nodiscard]] Tensor resizeNearestNeighbor(const Tensor& images, Pair size, const ResizeOptions& options = {});

/// How a value is found between pixels: that of the nearest (halves up), or a mean of four neighbours, weighted by distance.
enum class Interpolation : std::uint8_t { nearest, bilinear };

/// How `cropAndResize` looks up.
struct CropOptions {
    Interpolation method = Interpolation::bilinear;  ///< between pixels
    float extrapolationValue = 0;                    ///< what lies outside the image
};
/// Cuts boxes [n, 4] out of images [batch, height, width, channels] and resizes them → [n, size.height, size.width, channels],
/// float32. A box is y1, x1, y2, x2 in fractions of height - 1 and width - 1; the corner pixels of box and result coincide, and y2 < y1
/// flips it. `boxIndices` [n] (int32) names the image of each box; a box of no image gives zeros.
/// \throws Error `invalid_argument` for wrong shapes or a size below 1, `wrong_dtype`.
[[nodiscard]] Tensor cropAndResize(const Tensor& images, const Tensor& boxes, const Tensor& boxIndices, Pair size,
                                   const CropOptions& options = {});

/// What lies outside the image: a constant; the image reflected (dcba|abcd|dcba); the image again (abcd|abcd|abcd); its nearest pixel.
enum class FillMode : std::uint8_t { constant, reflect, wrap, nearest };

/// How `transform` looks up.
struct TransformOptions {
    Interpolation interpolation = Interpolation::nearest;  ///< between pixels
    FillMode fillMode = FillMode::constant;                ///< outside the image
    float fillValue = 0;                                   ///< for FillMode::constant
    Pair outputSize = 0;                                   ///< height and width of the result; 0: as the images
};
/// Projective transformations of images [batch, height, width, channels], float32. `transforms` is [batch, 8], or [1, 8] for all:
/// with a0 … a7, the pixel (x, y) of the result is taken from ((a0 x + a1 y + a2) / k, (a3 x + a4 y + a5) / k), k = a6 x + a7 y + 1.
/// \throws Error `invalid_argument` for wrong shapes or a negative size, `wrong_dtype`.
[[nodiscard]] Tensor transform(const Tensor& images, const Tensor& transforms, const TransformOptions& options = {});

/// A point in fractions of width and height.
struct Center {
    /// The same fraction of both.
    constexpr Center(double both) : x(both), y(both) {}
    /// One of each.
    constexpr Center(double ofWidth, double ofHeight) : x(ofWidth), y(ofHeight) {}
    double x;  ///< of the width
    double y;  ///< of the height
};
/// How `rotateWithOffset` rotates.
struct RotateOptions {
    /// What comes from outside the image: one number, or red, green and blue; then a fourth channel gets 255.
    std::vector<float> fillValue = {0};
    Center center = 0.5;  ///< what stays in its place
};
/// Rotates images [batch, height, width, channels] counter-clockwise by an angle, taking the nearest pixels. float32.
/// \throws Error `invalid_argument` for wrong ranks or fill values, `wrong_dtype`.
[[nodiscard]] Tensor rotateWithOffset(const Tensor& images, double radians, const RotateOptions& options = {});

/// Mirrors images [batch, height, width, channels] left to right. \throws Error `invalid_argument` for another rank.
[[nodiscard]] Tensor flipLeftRight(const Tensor& images);

/// Repeats the last axis, of extent 1, three times. \throws Error `invalid_argument` for other shapes or a rank below 2.
[[nodiscard]] Tensor grayscaleToRGB(const Tensor& images);

/// 0.2989 red + 0.587 green + 0.114 blue along the last axis, which becomes 1 (ITU-R BT.601); keeps the dtype.
/// \throws Error `invalid_argument` for a last axis other than 3 or a rank below 2.
[[nodiscard]] Tensor rgbToGrayscale(const Tensor& images);

/// How `threshold` finds its threshold: given, or by Otsu's method.
enum class ThresholdMethod : std::uint8_t { binary, otsu };
/// How `threshold` compares.
struct ThresholdOptions {
    ThresholdMethod method = ThresholdMethod::binary;  ///< where the threshold comes from
    bool inverted = false;                             ///< 255 where the grey value is not above it
    float value = 0.5F;                                ///< the threshold as a fraction of 255, for `binary`
};
/// 255 where the grey value of an image [height, width, 1 or 3] is above a threshold, else 0; int32. `otsu` takes the one of 0 … 254 that
/// parts the grey values, rounded to 0 … 255, with the largest variance between the two classes (Otsu, 1979); the first of equals.
/// \throws Error `invalid_argument` for another shape, `wrong_dtype` for bool.
[[nodiscard]] Tensor threshold(const Tensor& image, const ThresholdOptions& options = {});

}  // namespace image
}  // namespace stile
