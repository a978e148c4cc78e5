#include "stile/ops/norm.hpp"

#include <cmath>

#include "ops/check.hpp"
#include "stile/create.hpp"
#include "stile/ops/elementwise.hpp"
#include "stile/ops/reduce.hpp"
#include "stile/ops/shape.hpp"

namespace stile {
namespace {

Tensor root(const Tensor& magnitude, const Axes& axes) { return sqrt(sum(square(magnitude), axes, true)); }

Tensor ofVectors(const Tensor& magnitude, NormOrder order, const Axes& axes) {
    if (order.isForMatrices()) ops::fail("norm", "fro is for matrices, shape {}", toString(magnitude.shape()));
    const double p = order.p();
    if (std::isnan(p)) ops::fail("norm", "the order is NaN, shape {}", toString(magnitude.shape()));
    if (std::isinf(p)) return p > 0 ? max(magnitude, axes, true) : min(magnitude, axes, true);
    if (p == 0) return sum(cast(magnitude != 0.0F, DType::float32), axes, true);
    if (p == 1) return sum(magnitude, axes, true);
    if (p == 2) return root(magnitude, axes);
    return pow(sum(pow(magnitude, scalar(p)), axes, true), scalar(1 / p));
}

Tensor ofMatrices(const Tensor& magnitude, NormOrder order, int rows, int columns) {
    if (!order.isNumber()) return root(magnitude, Axes(rows, columns));
    const double p = order.p();
    if (std::abs(p) != 1 && !std::isinf(p)) {
        ops::fail("norm", "order {} of matrices, shape {}; takes ±1, ±∞, euclidean and fro", p, toString(magnitude.shape()));
    }
    const int first = std::isinf(p) ? columns : rows, second = std::isinf(p) ? rows : columns;
    const Tensor sums = sum(magnitude, first, true);
    return p > 0 ? max(sums, second, true) : min(sums, second, true);
}

}  // namespace

Tensor norm(const Tensor& x, NormOrder order, const Axes& axes, bool keepDims) {
    const std::uint32_t bits = ops::axesOf("norm", x.shape(), axes);
    const Tensor magnitude = abs(cast(x, DType::float32));
    if (x.rank() == 0) return magnitude;
    if (axes.list().size() > 2) {
        ops::fail("norm", "{} axes of shape {}; takes one, two or all", axes.list().size(), toString(x.shape()));
    }
    const Axes reduced(ops::listOf(bits));
    const auto axis = [&](std::size_t i) { return ops::axisOf("norm", x.shape(), axes.list()[i]); };
    const Tensor result = axes.list().size() == 2 ? ofMatrices(magnitude, order, axis(0), axis(1))
                          : axes.all() && x.rank() == 2 && order.isForMatrices() ? root(magnitude, reduced)
                                                                                 : ofVectors(magnitude, order, reduced);
    return keepDims ? result : squeeze(result, reduced);
}

Tensor euclideanNorm(const Tensor& x, const Axes& axes, bool keepDims) { return norm(x, NormOrder::euclidean, axes, keepDims); }

}  // namespace stile
