#include "stile/random.hpp"

#include <cmath>

#include "ops/check.hpp"
#include "stile/create.hpp"
#include "stile/ops/elementwise.hpp"
#include "stile/ops/normalize.hpp"
#include "stile/ops/scan.hpp"
#include "stile/ops/shape.hpp"
#include "stile/ops/sort.hpp"

namespace stile {
namespace {

using detail::prim::Distribution;

Tensor draw(const char* op, Distribution kind, const Shape& shape, double first, double second, std::uint64_t seed) {
    const DType dtype = kind == Distribution::uniformInt ? DType::int32 : DType::float32;
    return ops::record(op, detail::prim::Random{kind, seed, ops::bitsOf(first, dtype), ops::bitsOf(second, dtype)}, shape,
                       dtype, {});
}

Tensor rounded(const char* op, const Tensor& x, DType dtype) {
    if (dtype == DType::float32) return x;
    if (dtype != DType::int32) throw Error(errc::wrong_dtype, fmt::format("{}: {}", op, name(dtype)));
    return cast(round(x), dtype);
}

Tensor normal(const char* op, Distribution kind, const Shape& shape, float mean, float deviation, std::uint64_t seed,
              DType dtype) {
    if (!(deviation >= 0)) ops::fail(op, "standard deviation {}", deviation);
    return rounded(op, draw(op, kind, shape, mean, deviation, seed), dtype);
}

}  // namespace

Tensor randomUniform(const Shape& shape, float low, float high, std::uint64_t seed, DType dtype) {
    if (!(low <= high) || !std::isfinite(high - low)) ops::fail("randomUniform", "from {} to {} is no finite range", low, high);
    const Tensor x = draw("randomUniform", Distribution::uniform, shape, low, high, seed);
    return dtype == DType::float32 ? x : cast(cast(x, DType::int32), dtype);
}
Tensor randomUniformInt(const Shape& shape, std::int32_t low, std::int32_t high, std::uint64_t seed) {
    if (low >= high) ops::fail("randomUniformInt", "low {} is not below high {}", low, high);
    return draw("randomUniformInt", Distribution::uniformInt, shape, low, high, seed);
}
Tensor randomNormal(const Shape& shape, float mean, float standardDeviation, std::uint64_t seed, DType dtype) {
    return normal("randomNormal", Distribution::normal, shape, mean, standardDeviation, seed, dtype);
}
Tensor randomStandardNormal(const Shape& shape, std::uint64_t seed, DType dtype) {
    return normal("randomStandardNormal", Distribution::normal, shape, 0, 1, seed, dtype);
}
Tensor truncatedNormal(const Shape& shape, float mean, float standardDeviation, std::uint64_t seed, DType dtype) {
    return normal("truncatedNormal", Distribution::truncatedNormal, shape, mean, standardDeviation, seed, dtype);
}
Tensor randomGamma(const Shape& shape, float alpha, float beta, std::uint64_t seed, DType dtype) {
    for (const float parameter : {alpha, beta}) {
        if (!(parameter > 0) || !std::isfinite(parameter)) ops::fail("randomGamma", "alpha {}, beta {}", alpha, beta);
    }
    return rounded("randomGamma", draw("randomGamma", Distribution::gamma, shape, alpha, beta, seed), dtype);
}

Tensor multinomial(const Tensor& logits, std::int64_t samples, std::uint64_t seed, bool normalized) {
    constexpr const char* op = "multinomial";
    if (logits.rank() < 1 || logits.rank() > 2)
        ops::fail(op, "logits {} have neither one axis nor two", toString(logits.shape()));
    const std::int64_t outcomes = logits.shape()[-1], rows = logits.rank() == 2 ? logits.shape()[0] : 1;
    if (outcomes < 2) ops::fail(op, "logits {}: fewer than two outcomes", toString(logits.shape()));
    if (samples < 0) ops::fail(op, "{} samples", samples);
    const Shape shape = ops::shapeOf(op, {rows, samples});
    const Tensor weights = reshape(cast(logits, DType::float32), Shape{rows, outcomes});
    // The last outcome is whatever no other is: rounding leaves no gap.
    const Tensor below = cumsum(slice(normalized ? weights : softmax(weights), {0, 0}, {-1, outcomes - 1}), 1);
    const Tensor drawn = upperBound(below, draw(op, Distribution::uniform, shape, 0, 1, seed));
    return logits.rank() == 2 ? drawn : reshape(drawn, Shape{samples});
}

Tensor rand(const Shape& shape, const std::function<double()>& next, DType dtype) {
    std::vector<float> numbers;
    std::vector<std::int32_t> integers;
    for (std::int64_t i = 0; i < shape.size(); ++i) {
        const double number = next();
        if (dtype == DType::float32) {
            numbers.push_back(static_cast<float>(number));
        } else {
            integers.push_back(static_cast<std::int32_t>(ops::bitsOf(number, dtype)));
        }
    }
    if (dtype == DType::float32) return tensor(std::move(numbers), shape);
    return cast(tensor(std::move(integers), shape), dtype);
}

}  // namespace stile
