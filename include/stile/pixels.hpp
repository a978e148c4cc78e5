#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <stile/detail/computed.hpp>
#include <stile/export.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {
namespace browser {

/// An image in host memory: rows from top to bottom, four bytes a pixel: red, green, blue, alpha.
struct PixelData {
    std::span<const std::uint8_t> data;  ///< width · height · 4 bytes
    std::int64_t width = 0;              ///< pixels in a row
    std::int64_t height = 0;             ///< rows
};

/// The first channels of an image as int32 [height, width, numChannels], 0 to 255. The bytes are copied.
/// \throws Error `invalid_argument` for numChannels outside 1 … 4, or data of another length than width and height say.
[[nodiscard]] Tensor fromPixels(const PixelData& pixels, int numChannels = 3);

}  // namespace browser

namespace detail {
[[nodiscard]] Computation<std::vector<std::uint8_t>> pixelsOf(const Tensor& image);
}  // namespace detail

namespace browser {

/// The bytes of an image [height, width] or [height, width, channels] with 1 channel (grey), 3 (opaque) or 4, as PixelData has them.
/// float32 from 0 to 1 is scaled to 255 and rounded, halves up; int32 is 0 to 255.
///
/// **Completion signature.** `void(std::exception_ptr, std::vector<std::uint8_t>)`; `invalid_argument` if an element is outside the range.
/// **GL.** As Tensor::data. **Per-operation cancellation.** Terminal, partial, total: `operation_aborted`.
/// **Threads.** Callable from any; the handler runs on its associated executor. **Lifetime.** The tensor may be dropped, the device
/// closed. See \ref finding.
/// \throws Error `invalid_argument` for another rank or number of channels, `wrong_dtype` for other dtypes.
template <class... Arguments>
auto toPixels(const Tensor& image, Arguments&&... rest) {
    return detail::start(detail::pixelsOf(image), std::forward<Arguments>(rest)...);
}

}  // namespace browser
}  // namespace stile
