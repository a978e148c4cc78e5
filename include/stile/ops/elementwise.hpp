#pragma once

#include <vector>

#include <stile/export.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

// Element-wise operations. Operands broadcast by NumPy's rule and are promoted bool → int32 → float32. The table in
// src/tensor/elementwise.cpp has one row for each. All throw Error `invalid_argument` for shapes that do not broadcast and
// `wrong_dtype` for a dtype that the operation does not take; the message names the operation and the shapes.

/// \name Arithmetic
/// @{

/// a + b.
[[nodiscard]] Tensor add(const Tensor& a, const Tensor& b);
/// The sum of any number of tensors of one shape and dtype, added in pairs, so that rounding errors grow with the logarithm of their
/// number. \throws Error `invalid_argument` for none or different shapes, `wrong_dtype` for different dtypes.
[[nodiscard]] Tensor addN(const std::vector<Tensor>& tensors);
/// a - b.
[[nodiscard]] Tensor sub(const Tensor& a, const Tensor& b);
/// a · b.
[[nodiscard]] Tensor mul(const Tensor& a, const Tensor& b);
/// a / b; for int32 the quotient rounded to minus infinity, and 0 where b is 0.
[[nodiscard]] Tensor div(const Tensor& a, const Tensor& b);
/// a / b in float32, 0 where b is 0.
[[nodiscard]] Tensor divNoNan(const Tensor& a, const Tensor& b);
/// The quotient rounded to minus infinity, int32.
[[nodiscard]] Tensor floorDiv(const Tensor& a, const Tensor& b);
/// The remainder with the sign of b.
[[nodiscard]] Tensor mod(const Tensor& a, const Tensor& b);
/// a to the power b; NaN for a negative base with a fractional exponent.
[[nodiscard]] Tensor pow(const Tensor& a, const Tensor& b);
/// The larger; NaN if either is NaN.
[[nodiscard]] Tensor maximum(const Tensor& a, const Tensor& b);
/// The smaller; NaN if either is NaN.
[[nodiscard]] Tensor minimum(const Tensor& a, const Tensor& b);
/// (a - b)².
[[nodiscard]] Tensor squaredDifference(const Tensor& a, const Tensor& b);
/// The angle of the point (b, a), in radians.
[[nodiscard]] Tensor atan2(const Tensor& a, const Tensor& b);
/// Bits set in both; int32 only.
[[nodiscard]] Tensor bitwiseAnd(const Tensor& a, const Tensor& b);
/// @}

/// \name Comparison: bool
/// @{

/// Whether a is b; NaN is equal to nothing.
[[nodiscard]] Tensor equal(const Tensor& a, const Tensor& b);
/// Whether a is not b.
[[nodiscard]] Tensor notEqual(const Tensor& a, const Tensor& b);
/// Whether a > b; false with NaN.
[[nodiscard]] Tensor greater(const Tensor& a, const Tensor& b);
/// Whether a ≥ b; false with NaN.
[[nodiscard]] Tensor greaterEqual(const Tensor& a, const Tensor& b);
/// Whether a < b; false with NaN.
[[nodiscard]] Tensor less(const Tensor& a, const Tensor& b);
/// Whether a ≤ b; false with NaN.
[[nodiscard]] Tensor lessEqual(const Tensor& a, const Tensor& b);
/// @}

/// \name Logical: bool to bool
/// @{

/// Both hold.
[[nodiscard]] Tensor logicalAnd(const Tensor& a, const Tensor& b);
/// At least one holds.
[[nodiscard]] Tensor logicalOr(const Tensor& a, const Tensor& b);
/// Exactly one holds.
[[nodiscard]] Tensor logicalXor(const Tensor& a, const Tensor& b);
/// It does not hold.
[[nodiscard]] Tensor logicalNot(const Tensor& x);
/// a where the condition (bool) holds, else b; all three broadcast.
[[nodiscard]] Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b);
/// @}

/// \name Signs and rounding (int32 stays int32; floor and ceil take float32 only)
/// @{

/// -x.
[[nodiscard]] Tensor neg(const Tensor& x);
/// The magnitude.
[[nodiscard]] Tensor abs(const Tensor& x);
/// -1, 0 or 1; 0 for NaN.
[[nodiscard]] Tensor sign(const Tensor& x);
/// To the next integer towards -∞.
[[nodiscard]] Tensor floor(const Tensor& x);
/// To the next integer towards +∞.
[[nodiscard]] Tensor ceil(const Tensor& x);
/// To the nearest integer, halves to even.
[[nodiscard]] Tensor round(const Tensor& x);
/// x².
[[nodiscard]] Tensor square(const Tensor& x);
/// 1 / x.
[[nodiscard]] Tensor reciprocal(const Tensor& x);
/// Limits to [low, high]; keeps NaN. \throws Error `invalid_argument` unless low <= high.
[[nodiscard]] Tensor clipByValue(const Tensor& x, float low, float high);
/// 0 for negative and zero, 1 for positive; `alpha` in place of 0. Keeps NaN.
[[nodiscard]] Tensor step(const Tensor& x, float alpha = 0);
/// @}

/// \name Exponential and logarithm (exp, expm1 and log1p take int32 too and give float32)
/// @{

/// e to the power x.
[[nodiscard]] Tensor exp(const Tensor& x);
/// exp(x) - 1, accurate near 0.
[[nodiscard]] Tensor expm1(const Tensor& x);
/// The natural logarithm; NaN below 0.
[[nodiscard]] Tensor log(const Tensor& x);
/// log(1 + x), accurate near 0.
[[nodiscard]] Tensor log1p(const Tensor& x);
/// The square root; NaN below 0.
[[nodiscard]] Tensor sqrt(const Tensor& x);
/// 1 / √x.
[[nodiscard]] Tensor rsqrt(const Tensor& x);
/// The error function.
[[nodiscard]] Tensor erf(const Tensor& x);
/// @}

/// \name Trigonometric and hyperbolic (radians)
/// @{

/// The sine.
[[nodiscard]] Tensor sin(const Tensor& x);
/// The cosine.
[[nodiscard]] Tensor cos(const Tensor& x);
/// The tangent.
[[nodiscard]] Tensor tan(const Tensor& x);
/// The arc sine; NaN outside [-1, 1].
[[nodiscard]] Tensor asin(const Tensor& x);
/// The arc cosine; NaN outside [-1, 1].
[[nodiscard]] Tensor acos(const Tensor& x);
/// The arc tangent.
[[nodiscard]] Tensor atan(const Tensor& x);
/// The hyperbolic sine.
[[nodiscard]] Tensor sinh(const Tensor& x);
/// The hyperbolic cosine.
[[nodiscard]] Tensor cosh(const Tensor& x);
/// The hyperbolic tangent.
[[nodiscard]] Tensor tanh(const Tensor& x);
/// The inverse hyperbolic sine.
[[nodiscard]] Tensor asinh(const Tensor& x);
/// The inverse hyperbolic cosine; NaN below 1.
[[nodiscard]] Tensor acosh(const Tensor& x);
/// The inverse hyperbolic tangent; NaN outside [-1, 1].
[[nodiscard]] Tensor atanh(const Tensor& x);
/// @}

/// \name Activations
/// @{

/// x, or 0 where x is negative. Keeps NaN.
[[nodiscard]] Tensor relu(const Tensor& x);
/// x limited to [0, 6]. Keeps NaN.
[[nodiscard]] Tensor relu6(const Tensor& x);
/// x, or `alpha` x where x is negative.
[[nodiscard]] Tensor leakyRelu(const Tensor& x, float alpha = 0.2F);
/// x, or alpha x where x is negative; alpha broadcasts.
[[nodiscard]] Tensor prelu(const Tensor& x, const Tensor& alpha);
/// x, or exp(x) - 1 where x is negative.
[[nodiscard]] Tensor elu(const Tensor& x);
/// Scaled elu (Klambauer et al., "Self-normalizing neural networks", 2017).
[[nodiscard]] Tensor selu(const Tensor& x);
/// 1 / (1 + exp(-x)).
[[nodiscard]] Tensor sigmoid(const Tensor& x);
/// log(sigmoid(x)).
[[nodiscard]] Tensor logSigmoid(const Tensor& x);
/// log(1 + exp(x)).
[[nodiscard]] Tensor softplus(const Tensor& x);
/// @}

/// \name Classification: bool
/// @{

/// Whether x is NaN.
[[nodiscard]] Tensor isNaN(const Tensor& x);
/// Whether x is +∞ or -∞.
[[nodiscard]] Tensor isInf(const Tensor& x);
/// Whether x is neither NaN nor infinite.
[[nodiscard]] Tensor isFinite(const Tensor& x);
/// @}

/// Converts. float32 to int32 cuts the fraction and wraps modulo 2^32; NaN and infinities give 0. To bool: not zero.
[[nodiscard]] Tensor cast(const Tensor& x, DType dtype);

/// \name Operators: the functions above, also with numbers on one side
/// @{

/// The operation `add`.
[[nodiscard]] inline Tensor operator+(const Tensor& a, const Tensor& b) { return add(a, b); }
/// The operation `sub`.
[[nodiscard]] inline Tensor operator-(const Tensor& a, const Tensor& b) { return sub(a, b); }
/// The operation `mul`.
[[nodiscard]] inline Tensor operator*(const Tensor& a, const Tensor& b) { return mul(a, b); }
/// The operation `div`.
[[nodiscard]] inline Tensor operator/(const Tensor& a, const Tensor& b) { return div(a, b); }
/// The operation `mod`.
[[nodiscard]] inline Tensor operator%(const Tensor& a, const Tensor& b) { return mod(a, b); }
/// The operation `neg`.
[[nodiscard]] inline Tensor operator-(const Tensor& x) { return neg(x); }
/// The operation `logicalNot`.
[[nodiscard]] inline Tensor operator!(const Tensor& x) { return logicalNot(x); }
/// The operation `equal`.
[[nodiscard]] inline Tensor operator==(const Tensor& a, const Tensor& b) { return equal(a, b); }
/// The operation `notEqual`.
[[nodiscard]] inline Tensor operator!=(const Tensor& a, const Tensor& b) { return notEqual(a, b); }
/// The operation `greater`.
[[nodiscard]] inline Tensor operator>(const Tensor& a, const Tensor& b) { return greater(a, b); }
/// The operation `greaterEqual`.
[[nodiscard]] inline Tensor operator>=(const Tensor& a, const Tensor& b) { return greaterEqual(a, b); }
/// The operation `less`.
[[nodiscard]] inline Tensor operator<(const Tensor& a, const Tensor& b) { return less(a, b); }
/// The operation `lessEqual`.
[[nodiscard]] inline Tensor operator<=(const Tensor& a, const Tensor& b) { return lessEqual(a, b); }
/// @}

}  // namespace stile
