#pragma once

#include <cstdint>

#include <stile/export.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

// Discrete Fourier transforms along the last axis: O(n log n) for every length n. Lengths with no prime factor above 7 are split by
// Stockham's method; others become a convolution (Bluestein, "A linear filtering approach to the computation of the discrete
// Fourier transform", 1970), which costs about six times as much. All throw Error `invalid_argument` for a scalar and
// `wrong_dtype` for another dtype.

/// Σ x[j] exp(-2πi j k / n): complex64 [..., n] → complex64 [..., n].
[[nodiscard]] Tensor fft(const Tensor& x);
/// The inverse: Σ x[j] exp(2πi j k / n) / n. complex64 [..., n] → complex64 [..., n].
[[nodiscard]] Tensor ifft(const Tensor& x);
/// The first n / 2 + 1 numbers of the transform of real ones: float32 [..., m] → complex64 [..., n / 2 + 1]. `length` is n,
/// to which the input is cut or filled up with zeros; m if it is negative.
[[nodiscard]] Tensor rfft(const Tensor& x, std::int64_t length = -1);
/// The inverse of `rfft` for an even length: complex64 [..., m] → float32 [..., 2 (m - 1)], or [..., 1] for m = 1.
[[nodiscard]] Tensor irfft(const Tensor& x);

/// The same under the names that they have in a namespace of their own.
namespace spectral {
using stile::fft;
using stile::ifft;
using stile::irfft;
using stile::rfft;
}  // namespace spectral

}  // namespace stile
