#include "stile/ops/math.hpp"

#include "ops/check.hpp"
#include "stile/create.hpp"
#include "stile/ops/elementwise.hpp"
#include "stile/ops/matmul.hpp"
#include "stile/ops/shape.hpp"

namespace stile::math {

Tensor confusionMatrix(const Tensor& labels, const Tensor& predictions, std::int64_t numClasses) {
    constexpr const char* op = "confusionMatrix";
    if (labels.rank() != 1 || predictions.shape() != labels.shape()) {
        ops::fail(op, "labels {} and predictions {}: takes vectors of one length", toString(labels.shape()),
                  toString(predictions.shape()));
    }
    if (numClasses < 1 || numClasses >= ops::beyondInt32) ops::fail(op, "{} classes", numClasses);
    const Tensor classes = expandDims(range(0, static_cast<double>(numClasses), 1, DType::int32), 1);
    // A row for each class, in which the elements of that class are 1.
    const auto members = [&](const Tensor& x) { return cast(cast(x, DType::int32) == classes, DType::int32); };
    return matMul(members(labels), members(predictions), false, true);
}

}  // namespace stile::math
