#pragma once

#include <stile/export.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

// complex64 goes through everything that only moves elements (reshape, slice, concat, transpose, gather, pad, …) and through
// add, sub, mul, div, neg, square, abs, equal, notEqual, where, sum, mean, matMul and the Fourier transforms. Other operations
// throw Error `wrong_dtype`.

/// real + i · imag: complex64 of two float32 tensors of one shape (https://www.tensorflow.org/api_docs/python/tf/dtypes/complex).
/// \throws Error `invalid_argument` if the shapes differ, `wrong_dtype` for other dtypes.
[[nodiscard]] Tensor complex(const Tensor& real, const Tensor& imag);
/// The real part: float32. A real number is its own.
[[nodiscard]] Tensor real(const Tensor& x);
/// The imaginary part: float32. That of a real number is 0.
[[nodiscard]] Tensor imag(const Tensor& x);

}  // namespace stile
