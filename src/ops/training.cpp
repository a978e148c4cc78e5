#include "stile/ops/training.hpp"

#include "ops/check.hpp"
#include "stile/create.hpp"
#include "stile/ops/elementwise.hpp"
#include "stile/random.hpp"

namespace stile {

Tensor dropout(const Tensor& x, double rate, std::uint64_t seed, const std::vector<std::int64_t>& noiseShape) {
    ops::expect("dropout", "x", x, DType::float32);
    if (!(rate >= 0 && rate < 1)) ops::fail("dropout", "rate {} is outside [0, 1), x {}", rate, toString(x.shape()));
    std::vector<std::int64_t> extents = noiseShape.empty() ? ops::extentsOf(x.shape()) : noiseShape;
    bool fits = std::cmp_less_equal(extents.size(), x.rank());
    for (std::size_t i = 1; fits && i <= extents.size(); ++i) {
        std::int64_t& extent = extents[extents.size() - i];
        const std::int64_t whole = x.shape()[-static_cast<int>(i)];
        if (extent == -1) extent = whole;
        fits = extent == 1 || extent == whole;
    }
    if (!fits) ops::fail("dropout", "noise of shape [{}] for x {}", fmt::join(noiseShape, ", "), toString(x.shape()));
    if (rate == 0) return x;
    const auto kept = static_cast<float>(1 - rate);
    return where(randomUniform(Shape(extents), 0, 1, seed) < kept, x / kept, 0.0F);
}

Tensor movingAverage(const Tensor& average, const Tensor& x, const Tensor& decay, const std::optional<Tensor>& step) {
    if (average.shape() != x.shape()) {
        ops::fail("movingAverage", "average {} and x {} differ in shape", toString(average.shape()), toString(x.shape()));
    }
    ops::expect("movingAverage", "x", x, average.dtype());
    Tensor change = (x - average) * (scalar(1) - decay);
    if (step) change = change / (scalar(1) - pow(decay, *step));
    return average + change;
}

}  // namespace stile
