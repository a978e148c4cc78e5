#pragma once

#include <cstdint>

#include <stile/export.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

// Random numbers come from Philox4x32-10, a counter-based generator (Salmon, Moraes, Dror, Shaw, "Parallel random numbers:
// as easy as 1, 2, 3", SC 2011): element i depends on the seed and on i alone. Uniform numbers and integers are the same bits
// on every driver; normal ones agree within rounding. They are computed on the device.

/// float32 numbers in [low, high). \throws Error `invalid_argument` unless low <= high, with a finite difference.
[[nodiscard]] Tensor randomUniform(const Shape& shape, float low, float high, std::uint64_t seed);
/// int32 numbers in [low, high). \throws Error `invalid_argument` unless low < high.
[[nodiscard]] Tensor randomUniformInt(const Shape& shape, std::int32_t low, std::int32_t high, std::uint64_t seed);
/// float32 numbers of the normal distribution. \throws Error `invalid_argument` if the deviation is negative.
[[nodiscard]] Tensor randomNormal(const Shape& shape, float mean, float standardDeviation, std::uint64_t seed);
/// The normal distribution restricted to two standard deviations around the mean.
[[nodiscard]] Tensor truncatedNormal(const Shape& shape, float mean, float standardDeviation, std::uint64_t seed);

}  // namespace stile
