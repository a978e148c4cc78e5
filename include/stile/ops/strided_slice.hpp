#pragma once

#include <cstdint>
#include <vector>

#include <stile/export.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

/// The masks of `stridedSlice`: bit i is about entry i of begin, end and strides.
struct StridedSliceOptions {
    std::uint32_t beginMask = 0;       ///< the entry's begin does not count: from the first (with a negative stride the last)
    std::uint32_t endMask = 0;         ///< the entry's end does not count: to the last (with a negative stride the first)
    std::uint32_t ellipsisMask = 0;    ///< the entry stands for as many whole axes as are needed; at most one
    std::uint32_t newAxisMask = 0;     ///< the entry is a new axis of extent 1
    std::uint32_t shrinkAxisMask = 0;  ///< the entry takes the one element at begin, and the axis vanishes
};

/// x[begin : end : stride, …] as Python writes it: every stride-th element from begin up to but without end, for each axis. Negative begins
/// and ends count from the end and are cut to the axis; axes without an entry stay whole. Without strides they are 1. Definition:
/// tf.strided_slice. Every dtype.
/// \throws Error `invalid_argument` for lists of different lengths, more entries than axes, a stride of 0, a second ellipsis, or a shrunk
/// axis whose begin is outside it or whose stride is not positive.
[[nodiscard]] Tensor stridedSlice(const Tensor& x, const std::vector<std::int64_t>& begin, const std::vector<std::int64_t>& end,
                                  const std::vector<std::int64_t>& strides = {}, const StridedSliceOptions& options = {});

}  // namespace stile
