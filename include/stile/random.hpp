#pragma once

#include <cstdint>
#include <functional>

#include <stile/export.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

// Random numbers come from Philox4x32-10, a counter-based generator (Salmon, Moraes, Dror, Shaw, "Parallel random numbers:
// as easy as 1, 2, 3", SC 2011): element i depends on the seed and on i alone. Uniform numbers and integers are the same bits
// on every driver; normal ones agree within rounding. They are computed on the device.
//
// A dtype other than float32 is made from the float32 numbers: int32 by rounding, of randomUniform by cutting off the fraction; bool
// (of randomUniform alone) by what that leaves. \throws Error `wrong_dtype` for others.

/// Numbers in [low, high). \throws Error `invalid_argument` unless low <= high, with a finite difference.
[[nodiscard]] Tensor randomUniform(const Shape& shape, float low, float high, std::uint64_t seed, DType dtype = DType::float32);
/// int32 numbers in [low, high). \throws Error `invalid_argument` unless low < high.
[[nodiscard]] Tensor randomUniformInt(const Shape& shape, std::int32_t low, std::int32_t high, std::uint64_t seed);
/// Numbers of the normal distribution. \throws Error `invalid_argument` if the deviation is negative.
[[nodiscard]] Tensor randomNormal(const Shape& shape, float mean, float standardDeviation, std::uint64_t seed,
                                  DType dtype = DType::float32);
/// Numbers of the normal distribution with mean 0 and standard deviation 1.
[[nodiscard]] Tensor randomStandardNormal(const Shape& shape, std::uint64_t seed, DType dtype = DType::float32);
/// The normal distribution restricted to two standard deviations around the mean.
[[nodiscard]] Tensor truncatedNormal(const Shape& shape, float mean, float standardDeviation, std::uint64_t seed,
                                     DType dtype = DType::float32);
/// Numbers of the gamma distribution with the shape parameter `alpha` and the scale `beta`: mean alpha · beta, variance alpha · beta²
/// (Marsaglia and Tsang, ACM TOMS 26, 2000). A number whose attempt is all but refused may differ between drivers.
/// \throws Error `invalid_argument` unless both are positive and finite.
[[nodiscard]] Tensor randomGamma(const Shape& shape, float alpha, float beta, std::uint64_t seed, DType dtype = DType::float32);

/// `samples` draws from each distribution, int32: logits [n] → [samples], [batch, n] → [batch, samples]. A row of n ≥ 2 logits, or of
/// probabilities if they are `normalized`, gives the weights of 0…n-1. Computed on the device: the first number whose cumulative
/// probability is above a uniform one. \throws Error `invalid_argument` for other ranks, fewer than two outcomes, negative `samples`.
[[nodiscard]] Tensor multinomial(const Tensor& logits, std::int64_t samples, std::uint64_t seed, bool normalized = false);

/// The results of a function, called once for each element in order, at the call, on the calling thread; they convert as `cast` does.
[[nodiscard]] Tensor rand(const Shape& shape, const std::function<double()>& next, DType dtype = DType::float32);

}  // namespace stile
