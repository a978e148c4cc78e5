#include "stile/random.hpp"

#include <cmath>

#include "ops/check.hpp"

namespace stile {
namespace {

using detail::prim::Distribution;

Tensor draw(const char* op, Distribution kind, const Shape& shape, double first, double second, std::uint64_t seed) {
    const DType dtype = kind == Distribution::uniformInt ? DType::int32 : DType::float32;
    return ops::record(op, detail::prim::Random{kind, seed, ops::bitsOf(first, dtype), ops::bitsOf(second, dtype)}, shape,
                       dtype, {});
}

}  // namespace

Tensor randomUniform(const Shape& shape, float low, float high, std::uint64_t seed) {
    if (!(low <= high) || !std::isfinite(high - low)) ops::fail("randomUniform", "from {} to {} is no finite range", low, high);
    return draw("randomUniform", Distribution::uniform, shape, low, high, seed);
}
Tensor randomUniformInt(const Shape& shape, std::int32_t low, std::int32_t high, std::uint64_t seed) {
    if (low >= high) ops::fail("randomUniformInt", "low {} is not below high {}", low, high);
    return draw("randomUniformInt", Distribution::uniformInt, shape, low, high, seed);
}
Tensor randomNormal(const Shape& shape, float mean, float standardDeviation, std::uint64_t seed) {
    if (!(standardDeviation >= 0)) ops::fail("randomNormal", "standard deviation {}", standardDeviation);
    return draw("randomNormal", Distribution::normal, shape, mean, standardDeviation, seed);
}
Tensor truncatedNormal(const Shape& shape, float mean, float standardDeviation, std::uint64_t seed) {
    if (!(standardDeviation >= 0)) ops::fail("truncatedNormal", "standard deviation {}", standardDeviation);
    return draw("truncatedNormal", Distribution::truncatedNormal, shape, mean, standardDeviation, seed);
}

}  // namespace stile
