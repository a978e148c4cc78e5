#pragma once

#include <complex>
#include <cstdint>
#include <string>

#include <stile/export.hpp>
#include <stile/ndarray.hpp>

namespace stile STILE_EXPORT {

/// The values as TensorFlow.js writes a tensor: "Tensor" and then nested brackets, a row a line, the columns of a matrix below each
/// other, numbers to seven decimals, of an axis of more than 20 the first and last three. Verbose: dtype, rank and shape come first.
/// For the other form, in one line, write an NdArray to a stream.
[[nodiscard]] std::string toString(const NdArray<float>& values, bool verbose = false);
/// \copydoc toString(const NdArray<float>&, bool)
[[nodiscard]] std::string toString(const NdArray<std::int32_t>& values, bool verbose = false);
/// \copydoc toString(const NdArray<float>&, bool)
[[nodiscard]] std::string toString(const NdArray<bool>& values, bool verbose = false);
/// \copydoc toString(const NdArray<float>&, bool)
[[nodiscard]] std::string toString(const NdArray<std::complex<float>>& values, bool verbose = false);
/// \copydoc toString(const NdArray<float>&, bool)
[[nodiscard]] std::string toString(const NdArray<std::string>& values, bool verbose = false);

}  // namespace stile
