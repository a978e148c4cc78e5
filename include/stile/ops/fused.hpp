#pragma once

#include <cstdint>
#include <optional>

#include <stile/export.hpp>
#include <stile/ops/conv.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

/// Products and convolutions with what a layer does to their result.
namespace fused {

/// What becomes of each element at the end; `linear` leaves it.
enum class Activation : std::uint8_t { linear, relu, relu6, elu, prelu, leakyRelu, sigmoid };

/// Bias and activation.
struct Epilogue {
    std::optional<Tensor> bias{};  ///< added first; broadcasts to the result, for nchw from one axis to the channels
    Activation activation = Activation::linear;  ///< applied then
    std::optional<Tensor> preluWeights{};        ///< the slopes of prelu; broadcast as the bias
    float leakyReluAlpha = 0.2F;                 ///< the slope of leakyRelu below 0
};

/// `stile::matMul`, then bias and activation. \throws as `stile::matMul`, and Error `invalid_argument` for a bias or slopes that do not
/// broadcast to the product, or prelu without slopes.
[[nodiscard]] Tensor matMul(const Tensor& a, const Tensor& b, const Epilogue& epilogue, bool transposeA = false,
                            bool transposeB = false);
/// `stile::conv2d`, then bias and activation. \throws as `stile::conv2d` and `fused::matMul`.
[[nodiscard]] Tensor conv2d(const Tensor& x, const Tensor& filter, const ConvOptions& options, const Epilogue& epilogue);
/// `stile::depthwiseConv2d`, then bias and activation. \throws as `stile::depthwiseConv2d` and `fused::matMul`.
[[nodiscard]] Tensor depthwiseConv2d(const Tensor& x, const Tensor& filter, const ConvOptions& options,
                                     const Epilogue& epilogue);

}  // namespace fused
}  // namespace stile
