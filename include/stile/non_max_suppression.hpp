#pragma once

#include <cstdint>
#include <limits>
#include <utility>

#include <stile/detail/computed.hpp>
#include <stile/export.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

namespace image {

/// Which boxes are chosen.
struct SuppressionOptions {
    /// A box that overlaps a chosen one by more than this share of their union is left out: 0 … 1.
    double iouThreshold = 0.5;
    /// Only boxes with a larger score are looked at; as float32, like the scores.
    double scoreThreshold = -std::numeric_limits<double>::infinity();
};

/// The same for scores that fall.
struct SoftSuppressionOptions {
    /// See SuppressionOptions; without a meaning if softNmsSigma is above 0.
    double iouThreshold = 0.5;
    /// See SuppressionOptions.
    double scoreThreshold = -std::numeric_limits<double>::infinity();
    /// 0 … 1. Above 0 an overlap leaves no box out but multiplies its score by exp(-overlap² / (2 · sigma)).
    double softNmsSigma = 0;
};

/// The same for a result of a fixed length.
struct PaddedSuppressionOptions {
    /// See SuppressionOptions.
    double iouThreshold = 0.5;
    /// See SuppressionOptions.
    double scoreThreshold = -std::numeric_limits<double>::infinity();
    /// Zeros fill the indices up to maxOutputSize.
    bool padToMaxOutputSize = false;
};

/// Chosen boxes and what their scores have become.
struct ScoredSelection {
    Tensor selectedIndices;  ///< int32 [m], best first
    Tensor selectedScores;   ///< float32 [m]
};

/// Chosen boxes and how many they are.
struct PaddedSelection {
    Tensor selectedIndices;  ///< int32 [m], best first, then zeros
    Tensor validOutputs;     ///< int32 scalar: how many of them are no padding
};

}  // namespace image

namespace detail {
[[nodiscard]] Computation<Tensor> nonMaxSuppressionOf(const Tensor& boxes, const Tensor& scores, std::int64_t maxOutputSize,
                                                      const image::SuppressionOptions& options);
[[nodiscard]] Computation<image::ScoredSelection> softSuppressionOf(const Tensor& boxes, const Tensor& scores,
                                                                    std::int64_t maxOutputSize,
                                                                    const image::SoftSuppressionOptions& options);
[[nodiscard]] Computation<image::PaddedSelection> paddedSuppressionOf(const Tensor& boxes, const Tensor& scores,
                                                                      std::int64_t maxOutputSize,
                                                                      const image::PaddedSuppressionOptions& options);
}  // namespace detail

namespace image {

/// The best boxes that do not overlap too much, as TensorFlow's NonMaxSuppressionV3 defines it: boxes float32 [n, 4] by any two
/// opposite corners (y, x, y, x), scores float32 [n] → int32 [m], m ≤ maxOutputSize, best first; of equal scores the first. A box without
/// area overlaps nothing, a NaN score is no score. O(n log n + n · m).
///
/// **Completion signature.** `void(std::exception_ptr, Tensor)`. **GL.** As Tensor::data, of both. **Per-operation
/// cancellation.** Terminal, partial, total: `operation_aborted`. **Threads.** Callable from any; the
/// handler runs on its associated executor. **Lifetime.** The tensors may be dropped, the device closed. See \ref finding.
/// \throws Error `wrong_dtype`, `invalid_argument` for shapes that do not fit, a negative size or an iouThreshold outside 0 … 1.
template <class... Arguments>
auto nonMaxSuppressionAsync(const Tensor& boxes, const Tensor& scores, std::int64_t maxOutputSize,
                            const SuppressionOptions& options = {}, Arguments&&... rest) {
    return detail::start(detail::nonMaxSuppressionOf(boxes, scores, maxOutputSize, options), std::forward<Arguments>(rest)...);
}

/// The same with scores, which an overlap lowers if softNmsSigma is above 0: TensorFlow's NonMaxSuppressionV5; Bodla et al., *Soft-NMS*,
/// 2017.
///
/// **Completion signature.** `void(std::exception_ptr, image::ScoredSelection)`. **GL.** As Tensor::data, of both. **Per-operation
/// cancellation.** Terminal, partial, total: `operation_aborted`. **Threads.** Callable from any; the
/// handler runs on its associated executor. **Lifetime.** The tensors may be dropped, the device closed. See \ref finding.
/// \throws Error as `nonMaxSuppressionAsync`, and `invalid_argument` for a softNmsSigma outside 0 … 1.
template <class... Arguments>
auto nonMaxSuppressionWithScoreAsync(const Tensor& boxes, const Tensor& scores, std::int64_t maxOutputSize,
                                     const SoftSuppressionOptions& options = {}, Arguments&&... rest) {
    return detail::start(detail::softSuppressionOf(boxes, scores, maxOutputSize, options), std::forward<Arguments>(rest)...);
}

/// The same as `nonMaxSuppressionAsync` with the number of boxes, and padding if it is asked for: TensorFlow's NonMaxSuppressionV4.
///
/// **Completion signature.** `void(std::exception_ptr, image::PaddedSelection)`. **GL.** As Tensor::data, of both. **Per-operation
/// cancellation.** Terminal, partial, total: `operation_aborted`. **Threads.** Callable from any; the
/// handler runs on its associated executor. **Lifetime.** The tensors may be dropped, the device closed. See \ref finding.
/// \throws Error as `nonMaxSuppressionAsync`.
template <class... Arguments>
auto nonMaxSuppressionPaddedAsync(const Tensor& boxes, const Tensor& scores, std::int64_t maxOutputSize,
                                  const PaddedSuppressionOptions& options = {}, Arguments&&... rest) {
    return detail::start(detail::paddedSuppressionOf(boxes, scores, maxOutputSize, options), std::forward<Arguments>(rest)...);
}

}  // namespace image
}  // namespace stile
