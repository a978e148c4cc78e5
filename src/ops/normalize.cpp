#include "stile/ops/normalize.hpp"

#include <algorithm>

#include "ops/check.hpp"
#include "stile/create.hpp"
#include "stile/ops/conv.hpp"
#include "stile/ops/elementwise.hpp"
#include "stile/ops/reduce.hpp"
#include "stile/ops/shape.hpp"

namespace stile {
namespace {

void expectParameter(const char* op, const char* argument, const Tensor& parameter, const Tensor& x) {
    ops::expect(op, argument, parameter, DType::float32);
    bool fits = parameter.rank() <= x.rank();
    for (int axis = 1; fits && axis <= parameter.rank(); ++axis) {
        fits = parameter.shape()[-axis] == 1 || parameter.shape()[-axis] == x.shape()[-axis];
    }
    if (!fits) ops::fail(op, "{} {} does not broadcast to x {}", argument, toString(parameter.shape()), toString(x.shape()));
}

Tensor normalize(const char* op, const Tensor& x, const Tensor& mean, const Tensor& variance, const BatchNormOptions& o) {
    ops::expect(op, "x", x, DType::float32);
    expectParameter(op, "mean", mean, x);
    expectParameter(op, "variance", variance, x);
    if (o.offset) expectParameter(op, "offset", *o.offset, x);
    if (o.scale) expectParameter(op, "scale", *o.scale, x);
    Tensor result = (x - mean) * rsqrt(variance + o.varianceEpsilon);
    if (o.scale) result = result * *o.scale;
    return o.offset ? result + *o.offset : result;
}

Tensor normalizeRank(const char* op, int rank, const Tensor& x, const Tensor& mean, const Tensor& variance,
                     const BatchNormOptions& o) {
    if (x.rank() != rank) ops::fail(op, "x {} is not of rank {}", toString(x.shape()), rank);
    return normalize(op, x, mean, variance, o);
}

}  // namespace

Tensor batchNorm(const Tensor& x, const Tensor& mean, const Tensor& variance, const BatchNormOptions& options) {
    return normalize("batchNorm", x, mean, variance, options);
}
Tensor batchNorm2d(const Tensor& x, const Tensor& mean, const Tensor& variance, const BatchNormOptions& options) {
    return normalizeRank("batchNorm2d", 2, x, mean, variance, options);
}
Tensor batchNorm3d(const Tensor& x, const Tensor& mean, const Tensor& variance, const BatchNormOptions& options) {
    return normalizeRank("batchNorm3d", 3, x, mean, variance, options);
}
Tensor batchNorm4d(const Tensor& x, const Tensor& mean, const Tensor& variance, const BatchNormOptions& options) {
    return normalizeRank("batchNorm4d", 4, x, mean, variance, options);
}

Tensor localResponseNormalization(const Tensor& x, const LocalResponseOptions& options) {
    constexpr const char* op = "localResponseNormalization";
    ops::expect(op, "x", x, DType::float32);
    if (x.rank() != 3 && x.rank() != 4) ops::fail(op, "x {} is not of rank 3 or 4", toString(x.shape()));
    if (options.depthRadius < 0) ops::fail(op, "depthRadius {}, x {}", options.depthRadius, toString(x.shape()));
    if (x.size() == 0) return x;
    const std::int64_t channels = x.shape()[-1], radius = std::min(options.depthRadius, channels - 1);
    // The sums of neighbouring channels are a convolution of an image whose columns are the channels, with ones.
    const Tensor columns = reshape(square(x), {1, x.size() / channels, channels, 1});
    const Tensor sums = conv2d(columns, ones({1, 2 * radius + 1, 1, 1}), {.padding = Padding::amounts(radius, radius)});
    return x * pow(reshape(sums, x.shape()) * options.alpha + options.bias, -options.beta);
}

Moments moments(const Tensor& x, const Axes& axes, bool keepDims) {
    const std::uint32_t bits = ops::axesOf("moments", x.shape(), axes);
    const Tensor real = cast(x, DType::float32);
    const Tensor centre = mean(real, axes, true);
    const Tensor variance = mean(squaredDifference(real, centre), axes, keepDims);
    std::vector<std::int64_t> extents;
    for (int axis = 0; axis < x.rank(); ++axis) {
        if ((bits >> static_cast<unsigned>(axis) & 1U) == 0) extents.push_back(x.shape()[axis]);
    }
    return {keepDims ? centre : reshape(centre, extents), variance};
}

Tensor softmax(const Tensor& x, int axis) {
    ops::expect("softmax", "logits", x, DType::float32);
    const int at = ops::axisOf("softmax", x.shape(), axis);
    // Shifted by the largest, so that no exponential overflows.
    const Tensor e = exp(x - max(x, at, true));
    return e / sum(e, at, true);
}

Tensor logSoftmax(const Tensor& x, int axis) {
    ops::expect("logSoftmax", "logits", x, DType::float32);
    const int at = ops::axisOf("logSoftmax", x.shape(), axis);
    const Tensor shifted = x - max(x, at, true);
    return shifted - log(sum(exp(shifted), at, true));
}

}  // namespace stile
