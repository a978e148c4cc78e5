#include "stile/non_max_suppression.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <queue>
#include <vector>

#include "ops/check.hpp"
#include "ops/on_host.hpp"

namespace stile::detail {
namespace {

using Values = std::span<const RawValues>;

/// What all three forms take.
struct Limits {
    std::int64_t most = 0;
    double overlap = 0;
    float score = 0;
    double sigma = 0;
};

/// Boxes by number, best first, and their scores in the end.
struct Chosen {
    std::vector<std::int32_t> boxes;
    std::vector<float> scores;
};

/// The area of what two boxes share, over that of what they cover; 0 where that is not a number.
double overlapOf(std::span<const float> a, std::span<const float> b) {
    double areaA = 1, areaB = 1, shared = 1;
    for (const std::size_t axis : {0U, 1U}) {
        const auto [lowA, highA] = std::minmax({double{a[axis]}, double{a[axis + 2]}});
        const auto [lowB, highB] = std::minmax({double{b[axis]}, double{b[axis + 2]}});
        areaA *= highA - lowA;
        areaB *= highB - lowB;
        shared *= std::max(0.0, std::min(highA, highB) - std::max(lowA, lowB));
    }
    const double overlap = shared / (areaA + areaB - shared);
    return areaA > 0 && areaB > 0 && overlap > 0 ? overlap : 0;
}

/// The candidate with the best score is compared with the boxes chosen since it was last: it is left out, its score falls and it goes
/// back among the others, or it is chosen.
Chosen choose(std::span<const float> boxes, std::span<const float> scores, const Limits& limits) {
    struct Candidate {
        float score;
        std::int32_t box;
        std::size_t compared;  // with so many of the chosen
        bool operator<(const Candidate& other) const {
            return score < other.score || (score == other.score && box > other.box);
        }
    };
    std::priority_queue<Candidate> candidates;
    for (std::int32_t i = 0; const float score : scores) {
        if (score > limits.score) candidates.push({score, i, 0});
        ++i;
    }
    const auto box = [&](std::int32_t i) { return boxes.subspan(static_cast<std::size_t>(i) * 4, 4); };
    const bool soft = limits.sigma > 0;
    Chosen chosen;
    while (!candidates.empty() && static_cast<std::int64_t>(chosen.boxes.size()) < limits.most) {
        Candidate best = candidates.top();
        candidates.pop();
        const float before = best.score;
        bool out = false;
        for (std::size_t i = chosen.boxes.size(); !out && i > best.compared; --i) {
            const double overlap = overlapOf(box(best.box), box(chosen.boxes[i - 1]));
            if (soft) best.score = static_cast<float>(best.score * std::exp(-overlap * overlap / (2 * limits.sigma)));
            out = soft ? best.score <= limits.score : overlap > limits.overlap;
        }
        if (out) continue;
        best.compared = chosen.boxes.size();
        if (best.score != before) {
            candidates.push(best);
            continue;
        }
        chosen.boxes.push_back(best.box);
        chosen.scores.push_back(best.score);
    }
    return chosen;
}

/// The computation of one form, which `give` makes of what was chosen.
template <class Result, class Give>
Computation<Result> suppression(const char* op, const Tensor& boxes, const Tensor& scores, const Limits& limits, Give give) {
    ops::expect(op, "boxes", boxes, DType::float32);
    ops::expect(op, "scores", scores, DType::float32);
    const auto shapes = [&] { return fmt::format("boxes {}, scores {}", toString(boxes.shape()), toString(scores.shape())); };
    if (boxes.rank() != 2 || boxes.shape()[1] != 4 || scores.shape() != Shape(boxes.shape()[0])) ops::fail(op, "{}", shapes());
    if (limits.most < 0) ops::fail(op, "maxOutputSize {}: {}", limits.most, shapes());
    if (!(limits.overlap >= 0 && limits.overlap <= 1)) ops::fail(op, "iouThreshold {}: {}", limits.overlap, shapes());
    if (std::isnan(limits.score)) ops::fail(op, "scoreThreshold {}: {}", limits.score, shapes());
    if (!(limits.sigma >= 0 && limits.sigma <= 1)) ops::fail(op, "softNmsSigma {}: {}", limits.sigma, shapes());
    const HomePtr home = ops::homeOf({boxes, scores});
    return {op, {boxes, scores}, [op, limits, give, home](Values values) {
                Chosen chosen = choose(elementsOf<float>(values[0]), elementsOf<float>(values[1]), limits);
                return give(op, std::move(chosen), home);
            }};
}

}  // namespace

Computation<Tensor> nonMaxSuppressionOf(const Tensor& boxes, const Tensor& scores, std::int64_t maxOutputSize,
                                        const image::SuppressionOptions& options) {
    const Limits limits{maxOutputSize, options.iouThreshold, static_cast<float>(options.scoreThreshold), 0};
    return suppression<Tensor>(
        "nonMaxSuppressionAsync", boxes, scores, limits,
        [](const char* op, Chosen chosen, const HomePtr& home) { return ops::listOnHost(op, std::move(chosen.boxes), home); });
}

Computation<image::ScoredSelection> softSuppressionOf(const Tensor& boxes, const Tensor& scores, std::int64_t maxOutputSize,
                                                      const image::SoftSuppressionOptions& options) {
    const Limits limits{maxOutputSize, options.iouThreshold, static_cast<float>(options.scoreThreshold), options.softNmsSigma};
    return suppression<image::ScoredSelection>(
        "nonMaxSuppressionWithScoreAsync", boxes, scores, limits, [](const char* op, Chosen chosen, const HomePtr& home) {
            return image::ScoredSelection{ops::listOnHost(op, std::move(chosen.boxes), home),
                                          ops::listOnHost(op, std::move(chosen.scores), home)};
        });
}

Computation<image::PaddedSelection> paddedSuppressionOf(const Tensor& boxes, const Tensor& scores, std::int64_t maxOutputSize,
                                                        const image::PaddedSuppressionOptions& options) {
    constexpr const char* op = "nonMaxSuppressionPaddedAsync";
    const Limits limits{maxOutputSize, options.iouThreshold, static_cast<float>(options.scoreThreshold), 0};
    const bool pad = options.padToMaxOutputSize;
    if (pad && maxOutputSize >= 0) (void)ops::shapeOf(op, {maxOutputSize});
    return suppression<image::PaddedSelection>(
        op, boxes, scores, limits, [limits, pad](const char* name, Chosen chosen, const HomePtr& home) {
            const auto valid = static_cast<std::int32_t>(chosen.boxes.size());
            if (pad) chosen.boxes.resize(static_cast<std::size_t>(limits.most));
            return image::PaddedSelection{ops::listOnHost(name, std::move(chosen.boxes), home),
                                          ops::onHost(name, {}, std::vector{valid}, DType::int32, home)};
        });
}

}  // namespace stile::detail
