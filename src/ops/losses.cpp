#include "stile/ops/losses.hpp"

#include "ops/check.hpp"
#include "stile/create.hpp"
#include "stile/ops/elementwise.hpp"
#include "stile/ops/reduce.hpp"
#include "stile/ops/shape.hpp"

namespace stile::losses {
namespace {

void expectOneShape(const char* op, const Tensor& labels, const Tensor& predictions) {
    if (labels.shape() != predictions.shape()) {
        ops::fail(op, "labels {} and predictions {} differ in shape", toString(labels.shape()), toString(predictions.shape()));
    }
}

Tensor number(double value) { return scalar(value); }

Tensor reduced(const char* op, const Tensor& losses, const std::optional<Tensor>& weights, Reduction reduction) {
    Tensor weighted = losses;
    if (weights) {
        try {
            weighted = losses * *weights;
        } catch (const Error&) {
            ops::fail(op, "weights {} do not broadcast to losses {}", toString(weights->shape()), toString(losses.shape()));
        }
    }
    // The weights as often as they are used.
    const auto perLoss = [&] { return broadcastTo(*weights, weighted.shape()); };
    switch (reduction) {
        case Reduction::none: return weighted;
        case Reduction::sum: return sum(weighted);
        case Reduction::mean:
            if (!weights) return mean(weighted);
            return sum(weighted) / sum(cast(perLoss(), DType::float32));
        case Reduction::sumByNonzeroWeights: break;
    }
    if (!weights) return mean(weighted);
    return sum(weighted) / cast(sum(notEqual(perLoss(), scalar(0, weights->dtype()))), DType::float32);
}

}  // namespace

Tensor computeWeightedLoss(const Tensor& losses, const LossOptions& options) {
    return reduced("computeWeightedLoss", cast(losses, DType::float32), options.weights, options.reduction);
}

Tensor absoluteDifference(const Tensor& labels, const Tensor& predictions, const LossOptions& options) {
    expectOneShape("absoluteDifference", labels, predictions);
    return reduced("absoluteDifference", cast(abs(labels - predictions), DType::float32), options.weights, options.reduction);
}

Tensor meanSquaredError(const Tensor& labels, const Tensor& predictions, const LossOptions& options) {
    expectOneShape("meanSquaredError", labels, predictions);
    return reduced("meanSquaredError", cast(squaredDifference(labels, predictions), DType::float32), options.weights,
                   options.reduction);
}

Tensor cosineDistance(const Tensor& labels, const Tensor& predictions, int axis, const LossOptions& options) {
    expectOneShape("cosineDistance", labels, predictions);
    const int at = ops::axisOf("cosineDistance", labels.shape(), axis);
    return reduced("cosineDistance", number(1) - sum(labels * predictions, at, true), options.weights, options.reduction);
}

Tensor hingeLoss(const Tensor& labels, const Tensor& predictions, const LossOptions& options) {
    expectOneShape("hingeLoss", labels, predictions);
    const Tensor sides = number(2) * labels - number(1);
    return reduced("hingeLoss", relu(number(1) - sides * predictions), options.weights, options.reduction);
}

Tensor huberLoss(const Tensor& labels, const Tensor& predictions, const HuberOptions& options) {
    expectOneShape("huberLoss", labels, predictions);
    const Tensor delta = number(options.delta), error = abs(predictions - labels);
    const Tensor quadratic = minimum(error, delta), linear = error - quadratic;
    return reduced("huberLoss", number(0.5) * square(quadratic) + delta * linear, options.weights, options.reduction);
}

Tensor logLoss(const Tensor& labels, const Tensor& predictions, const LogLossOptions& options) {
    expectOneShape("logLoss", labels, predictions);
    const Tensor one = number(1), epsilon = number(options.epsilon);
    const Tensor losses = -(labels * log(predictions + epsilon)) - (one - labels) * log(one - predictions + epsilon);
    return reduced("logLoss", losses, options.weights, options.reduction);
}

Tensor sigmoidCrossEntropy(const Tensor& labels, const Tensor& logits, const CrossEntropyOptions& options) {
    expectOneShape("sigmoidCrossEntropy", labels, logits);
    const double spread = options.labelSmoothing;
    const Tensor x = cast(logits, DType::float32), y = spread > 0 ? labels * number(1 - spread) + number(spread / 2) : labels;
    // -y log σ(x) - (1 - y) log(1 - σ(x)), without an exponential that overflows.
    const Tensor losses = relu(x) - x * y + log1p(exp(-abs(x)));
    return reduced("sigmoidCrossEntropy", losses, options.weights, options.reduction);
}

Tensor softmaxCrossEntropy(const Tensor& labels, const Tensor& logits, const CrossEntropyOptions& options) {
    constexpr const char* op = "softmaxCrossEntropy";
    expectOneShape(op, labels, logits);
    if (labels.rank() == 0) ops::fail(op, "scalars have no classes");
    const double spread = options.labelSmoothing;
    const Tensor x = cast(logits, DType::float32);
    const Tensor y =
        spread > 0 ? labels * number(1 - spread) + number(spread / static_cast<double>(labels.shape()[-1])) : labels;
    // Shifted by the largest before anything is added to it: of 1000 + log 2 float32 keeps few digits of the logarithm.
    const Tensor shifted = x - max(x, -1, true);
    const Tensor losses = -sum((shifted - log(sum(exp(shifted), -1, true))) * y, -1);
    return reduced(op, losses, options.weights, options.reduction);
}

}  // namespace stile::losses
