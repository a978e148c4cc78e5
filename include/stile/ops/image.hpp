#pragma once

#include <cstdint>

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

}  // namespace image
}  // namespace stile
