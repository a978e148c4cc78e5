#pragma once

#include <cstdint>

#include <stile/export.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {
/// What is computed of labels and predictions.
namespace math {

/// How often class i (row) was predicted as class j (column): int32 [numClasses, numClasses] of two vectors of class numbers, which
/// convert to int32 as `cast` does; numbers outside 0 … numClasses - 1 do not count. Costs O(n · numClasses²).
/// \throws Error `invalid_argument` for other ranks, different lengths or numClasses < 1.
[[nodiscard]] Tensor confusionMatrix(const Tensor& labels, const Tensor& predictions, std::int64_t numClasses);

}  // namespace math
}  // namespace stile
