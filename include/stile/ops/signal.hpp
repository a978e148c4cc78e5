#pragma once

#include <cstdint>
#include <functional>

#include <stile/export.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

/// The smallest power of two that is not below the number. \throws Error `invalid_argument` unless 0 < value <= 2^62.
[[nodiscard]] std::int64_t enclosingPowerOfTwo(std::int64_t value);
/// a - b · cos(2 π i / n), i < length: periodic (n = length) for an even length, symmetric (n = length - 1) for an odd one, as windows
/// before a Fourier transform are; 1 for length 1. float32. \throws Error `invalid_argument` for a length below 1.
[[nodiscard]] Tensor cosineWindow(std::int64_t length, double a, double b);

/// Signals in time.
namespace signal {

/// The window of von Hann: `cosineWindow` with 0.5 and 0.5.
[[nodiscard]] Tensor hannWindow(std::int64_t length);
/// The window of Hamming: `cosineWindow` with 0.54 and 0.46.
[[nodiscard]] Tensor hammingWindow(std::int64_t length);

/// How `frame` ends.
struct FrameOptions {
    bool padEnd = false;  ///< frames that begin inside the signal but reach beyond it count
    double padValue = 0;  ///< what they have there
};
/// Pieces of `length` values of the last axis, a new one every `step`: [..., n] → [..., frames, length]. Any dtype.
/// \throws Error `invalid_argument` for a scalar, a length or a step below 1.
[[nodiscard]] Tensor frame(const Tensor& signal, std::int64_t length, std::int64_t step, const FrameOptions& options = {});

/// How `stft` transforms a frame.
struct StftOptions {
    std::int64_t fftLength = -1;                              ///< of the transform; the enclosing power of two if negative
    std::function<Tensor(std::int64_t)> window = hannWindow;  ///< the weights of a frame of so many values
};
/// The short-time Fourier transform: `frame`, each piece multiplied by the window, then `rfft`. float32 [..., n] → complex64
/// [..., frames, fftLength / 2 + 1]. \throws Error as `frame` and `rfft`.
[[nodiscard]] Tensor stft(const Tensor& signal, std::int64_t frameLength, std::int64_t frameStep,
                          const StftOptions& options = {});

}  // namespace signal
}  // namespace stile
