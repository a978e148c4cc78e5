#include <array>
#include <cmath>

#include <stile/ops/losses.hpp>
#include <stile/ops/math.hpp>
#include <stile/ops/recurrent.hpp>
#include <stile/ops/training.hpp>

#include "table.hpp"

// Losses, and what else goes with training.
namespace replay {
namespace {

namespace losses = stile::losses;
using stile::Reduction;

/// A number, as the reference has it.
Reduction reduction(const Argument& argument) {
    constexpr std::array names{Reduction::none, Reduction::mean, Reduction::sum, Reduction::sumByNonzeroWeights};
    const std::int64_t number = argument.integer(3);
    if (number < 0 || number > 3) argument.mismatch("no reduction");
    return names[static_cast<std::size_t>(number)];
}

/// labels, predictions, weights, reduction.
template <auto loss>
Results plain(const Arguments& a) {
    return loss(a[0].tensor(), a[1].tensor(), losses::LossOptions{a[2].optionalTensor(), reduction(a[3])});
}

/// labels, predictions, weights, a number, reduction.
template <auto loss, class Options>
Results withNumber(const Arguments& a) {
    Options options;
    auto& [weights, number, reduced] = options;
    weights = a[2].optionalTensor();
    number = a[3].number(number);
    reduced = reduction(a[4]);
    return loss(a[0].tensor(), a[1].tensor(), options);
}

Results computeWeightedLoss(const Arguments& a) {
    return losses::computeWeightedLoss(a[0].tensor(), {a[1].optionalTensor(), reduction(a[2])});
}

/// labels, predictions, axis, weights, reduction.
Results cosineDistance(const Arguments& a) {
    return losses::cosineDistance(a[0].tensor(), a[1].tensor(), a[2].axis(), {a[3].optionalTensor(), reduction(a[4])});
}

Results confusionMatrix(const Arguments& a) {
    return stile::math::confusionMatrix(a[0].tensor(), a[1].tensor(), a[2].integer());
}

Results basicLSTMCell(const Arguments& a) {
    const stile::CellState state =
        stile::basicLSTMCell(a[0].tensor(), a[1].tensor(), a[2].tensor(), a[3].tensor(), a[4].tensor(), a[5].tensor());
    return Results::List{state.c, state.h};
}

/// x, rate, noise shape (null: the extent of x), seed.
Results dropout(const Arguments& a) {
    std::vector<std::int64_t> noise;
    for (int i = 0; i < a[2].size(); ++i) noise.push_back(a[2][i].integer(-1));
    const double seed = a[3].isNumber() ? a[3].number() : 1;
    return stile::dropout(a[0].tensor(), a[1].number(), static_cast<std::uint64_t>(std::llround(1000 * seed)), noise);
}

/// average, x, decay, step, zeroDebias.
Results movingAverage(const Arguments& a) {
    if (!a[4].flag(true)) return stile::movingAverage(a[0].tensor(), a[1].tensor(), a[2].tensor());
    if (!a[3].given()) a[3].mismatch("no step");
    return stile::movingAverage(a[0].tensor(), a[1].tensor(), a[2].tensor(), a[3].tensor());
}

const std::array rows{
    Row{"losses.absoluteDifference", plain<losses::absoluteDifference>},
    Row{"losses.meanSquaredError", plain<losses::meanSquaredError>},
    Row{"losses.hingeLoss", plain<losses::hingeLoss>},
    Row{"losses.cosineDistance", cosineDistance},
    Row{"losses.computeWeightedLoss", computeWeightedLoss},
    Row{"losses.huberLoss", withNumber<losses::huberLoss, losses::HuberOptions>},
    Row{"losses.logLoss", withNumber<losses::logLoss, losses::LogLossOptions>},
    Row{"losses.sigmoidCrossEntropy", withNumber<losses::sigmoidCrossEntropy, losses::CrossEntropyOptions>},
    Row{"losses.softmaxCrossEntropy", withNumber<losses::softmaxCrossEntropy, losses::CrossEntropyOptions>},
    Row{"math.confusionMatrix", confusionMatrix},
    Row{"basicLSTMCell", basicLSTMCell},
    Row{"dropout", dropout},
    Row{"movingAverage", movingAverage},
};

}  // namespace

std::span<const Row> lossRows() { return rows; }

}  // namespace replay
