#pragma once

#include <cstdint>
#include <optional>

#include <stile/export.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

/// What `batchNorm` applies beside mean and variance.
struct BatchNormOptions {
    std::optional<Tensor> offset{};  ///< added at the end
    std::optional<Tensor> scale{};   ///< multiplied before that
    float varianceEpsilon = 0.001F;  ///< added to the variance
};

/// (x - mean) / √(variance + varianceEpsilon) · scale + offset: batch normalization (Ioffe and Szegedy, 2015) with given moments.
/// Mean, variance, offset and scale broadcast to the shape of x. float32.
/// \throws Error `wrong_dtype`; `invalid_argument` for a shape that does not broadcast to x.
[[nodiscard]] Tensor batchNorm(const Tensor& x, const Tensor& mean, const Tensor& variance,
                               const BatchNormOptions& options = {});
/// `batchNorm` of a matrix. \throws as `batchNorm`, and `invalid_argument` for another rank of x.
[[nodiscard]] Tensor batchNorm2d(const Tensor& x, const Tensor& mean, const Tensor& variance,
                                 const BatchNormOptions& options = {});
/// `batchNorm` of x with three axes; see `batchNorm2d`.
[[nodiscard]] Tensor batchNorm3d(const Tensor& x, const Tensor& mean, const Tensor& variance,
                                 const BatchNormOptions& options = {});
/// `batchNorm` of x with four axes; see `batchNorm2d`.
[[nodiscard]] Tensor batchNorm4d(const Tensor& x, const Tensor& mean, const Tensor& variance,
                                 const BatchNormOptions& options = {});

/// The parameters of `localResponseNormalization`.
struct LocalResponseOptions {
    std::int64_t depthRadius = 5;  ///< channels to each side that count
    float bias = 1;                ///< keeps the divisor away from 0
    float alpha = 1;               ///< factor of the sum
    float beta = 0.5F;             ///< exponent of the divisor
};

/// x / (bias + alpha · Σ x²)^beta, where the sum is over the channels within depthRadius (Krizhevsky et al., 2012). x is
/// [batch, height, width, channels] or one without batch, float32.
/// \throws Error `invalid_argument` for other ranks or a negative radius, `wrong_dtype`.
[[nodiscard]] Tensor localResponseNormalization(const Tensor& x, const LocalResponseOptions& options = {});

/// What `moments` gives.
struct Moments {
    Tensor mean;      ///< the arithmetic mean
    Tensor variance;  ///< the mean squared distance from it
};
/// Mean and (population) variance over the axes, all by default; float32 whatever the dtype, NaN over no elements.
/// \throws Error `invalid_argument` for an axis outside the rank or named twice.
[[nodiscard]] Moments moments(const Tensor& x, const Axes& axes = {}, bool keepDims = false);

/// exp(x) / Σ exp(x) along the axis, float32 only, safe for large x. \throws Error `invalid_argument`, `wrong_dtype`.
[[nodiscard]] Tensor softmax(const Tensor& x, int axis = -1);
/// log(softmax(x)) along the axis without its underflow; see `softmax`.
[[nodiscard]] Tensor logSoftmax(const Tensor& x, int axis = -1);

}  // namespace stile
