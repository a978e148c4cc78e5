#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <stile/export.hpp>
#include <stile/ops/conv.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

// Blocks of positions that become batches or channels, and back. Elements move; nothing is computed. All throw Error
// `invalid_argument` for ranks that are too small and extents that the blocks do not divide.

/// Cuts each of the axes 1 … m (m = blockShape.size()) into blocks, after padding it with zeros, and makes the position within a block
/// the outermost part of the batch: [batch, d…, rest…] → [Π block · batch, d / block…, rest…].
[[nodiscard]] Tensor spaceToBatchND(const Tensor& x, const std::vector<std::int64_t>& blockShape,
                                    const std::vector<std::pair<std::int64_t, std::int64_t>>& paddings);
/// The opposite of `spaceToBatchND`; `crops` are cut off (before, after) at the end.
[[nodiscard]] Tensor batchToSpaceND(const Tensor& x, const std::vector<std::int64_t>& blockShape,
                                    const std::vector<std::pair<std::int64_t, std::int64_t>>& crops);

/// Spreads the channels of images over blocks of size × size pixels: [batch, h, w, size² · c] → [batch, size · h, size · w, c], or the
/// same with channels first. float32. \throws Error `wrong_dtype`, `invalid_argument`.
[[nodiscard]] Tensor depthToSpace(const Tensor& x, std::int64_t blockSize, DataFormat format = DataFormat::nhwc);

}  // namespace stile
