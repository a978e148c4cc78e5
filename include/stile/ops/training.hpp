#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <stile/export.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

/// Sets each element to 0 with the probability `rate` and divides the others by 1 - rate, so that the mean stays (Srivastava et al.,
/// "Dropout", 2014). Which, depends on the seed. Where noiseShape is 1 along an axis, one decision holds for the whole axis; -1 stands
/// for the extent of x. float32. \throws Error `wrong_dtype`, `invalid_argument` for a rate outside [0, 1) or a noiseShape that does not
/// broadcast to x.
[[nodiscard]] Tensor dropout(const Tensor& x, double rate, std::uint64_t seed,
                             const std::vector<std::int64_t>& noiseShape = {});

/// The next value of an exponential moving average: average + (x - average) · (1 - decay). With `step`, the number of values that have
/// come, x itself included, the change is divided by 1 - decay^step, which takes out the bias of a start at 0 (Kingma and Ba, "Adam", 2015,
/// §3). \throws Error `invalid_argument` for different shapes, `wrong_dtype` for different dtypes.
[[nodiscard]] Tensor movingAverage(const Tensor& average, const Tensor& x, const Tensor& decay,
                                   const std::optional<Tensor>& step = std::nullopt);

}  // namespace stile
