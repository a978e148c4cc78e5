#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "stile/shape.hpp"
#include "stile/tensor.hpp"

namespace stile::ops {

/// Indices [n…, d] that name blocks of a tensor by the coordinates along its first d axes.
struct Places {
    std::vector<std::int64_t> batch{};  ///< n…
    std::vector<std::int64_t> block{};  ///< the extents that the coordinates leave
    std::int64_t blocks = 1;            ///< in the tensor
    Tensor rows{};                      ///< int32 [n]: the number of the block, -1 for a coordinate out of range
};

/// \param depth how many of the tensor's axes the coordinates are of; the last axis of the indices, or 1 if there is none for it
/// \param missed called with the first coordinate that is out of range and its axis, if the indices are known on the host
[[nodiscard]] Places placesOf(const Tensor& indices, std::vector<std::int64_t> batch, const Shape& shape, std::int64_t depth,
                              const std::function<void(std::int32_t, int)>& missed);

/// Whether the elements are known at the call; then `each` is called with them, in order.
bool eachKnown(const Tensor& x, const std::function<void(std::int64_t, std::int32_t)>& each);

}  // namespace stile::ops
