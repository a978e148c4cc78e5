#pragma once

#include <cstdint>
#include <optional>

#include <stile/export.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

/// What becomes of the losses of all elements.
enum class Reduction : std::uint8_t {
    none,                 ///< they are kept
    mean,                 ///< the weighted mean: the sum of losses by the sum of weights
    sum,                  ///< their sum
    sumByNonzeroWeights,  ///< their sum by the number of weights that are not 0
};

/// Losses: how far predictions are from labels. Each computes a loss for every element (the cross entropy of `softmaxCrossEntropy`:
/// for every row), multiplies it by its weight and reduces. Labels and predictions have one shape; weights broadcast to the
/// losses. float32 results. All throw Error `invalid_argument` for shapes that do not fit.
namespace losses {

/// What all losses take.
struct LossOptions {
    std::optional<Tensor> weights{};                       ///< 1 if there are none
    Reduction reduction = Reduction::sumByNonzeroWeights;  ///< of the weighted losses
};
/// What `huberLoss` takes.
struct HuberOptions {
    std::optional<Tensor> weights{};                       ///< 1 if there are none
    double delta = 1;                                      ///< where the square becomes a line
    Reduction reduction = Reduction::sumByNonzeroWeights;  ///< of the weighted losses
};
/// What `logLoss` takes.
struct LogLossOptions {
    std::optional<Tensor> weights{};                       ///< 1 if there are none
    double epsilon = 1e-7;                                 ///< added before a logarithm is taken
    Reduction reduction = Reduction::sumByNonzeroWeights;  ///< of the weighted losses
};
/// What the cross entropies take.
struct CrossEntropyOptions {
    std::optional<Tensor> weights{};                       ///< 1 if there are none
    double labelSmoothing = 0;                             ///< how much of a label is spread over all classes: 0 to 1
    Reduction reduction = Reduction::sumByNonzeroWeights;  ///< of the weighted losses
};

/// The losses, multiplied by weights and reduced.
[[nodiscard]] Tensor computeWeightedLoss(const Tensor& losses, const LossOptions& options = {});
/// |labels - predictions|.
[[nodiscard]] Tensor absoluteDifference(const Tensor& labels, const Tensor& predictions, const LossOptions& options = {});
/// (labels - predictions)².
[[nodiscard]] Tensor meanSquaredError(const Tensor& labels, const Tensor& predictions, const LossOptions& options = {});
/// 1 - Σ labels · predictions along the axis, for vectors of length 1.
[[nodiscard]] Tensor cosineDistance(const Tensor& labels, const Tensor& predictions, int axis, const LossOptions& options = {});
/// max(0, 1 - (2 · labels - 1) · predictions), for labels 0 and 1.
[[nodiscard]] Tensor hingeLoss(const Tensor& labels, const Tensor& predictions, const LossOptions& options = {});
/// d² / 2 for a difference d up to delta, delta · (d - delta / 2) beyond (Huber, "Robust estimation of a location parameter", 1964).
[[nodiscard]] Tensor huberLoss(const Tensor& labels, const Tensor& predictions, const HuberOptions& options = {});
/// -labels · log(predictions + ε) - (1 - labels) · log(1 - predictions + ε).
[[nodiscard]] Tensor logLoss(const Tensor& labels, const Tensor& predictions, const LogLossOptions& options = {});
/// The cross entropy of independent classes from logits, safe for large ones.
[[nodiscard]] Tensor sigmoidCrossEntropy(const Tensor& labels, const Tensor& logits, const CrossEntropyOptions& options = {});
/// The cross entropy of exclusive classes, which lie along the last axis, from logits; a loss for each row.
[[nodiscard]] Tensor softmaxCrossEntropy(const Tensor& labels, const Tensor& logits, const CrossEntropyOptions& options = {});

}  // namespace losses
}  // namespace stile
