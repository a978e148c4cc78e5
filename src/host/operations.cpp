#include "host/operations.hpp"

#include <array>
#include <type_traits>

#include "host/numbers.hpp"

namespace stile::host {
namespace {

// A row's function takes the operands, then the parameters, and gives a float, an int32 or a bool.

Word bitsOf(float value) { return std::bit_cast<Word>(value); }
Word bitsOf(Int value) { return static_cast<Word>(value); }
Word bitsOf(bool value) { return value ? 1 : 0; }

// Each takes a lambda (which has no state, so that its type alone can be called) and gives a function that hands it as many
// operands of type T as it takes; with the parameters if it takes three.
using Function = Word (*)(const Arguments&);
template <class T, class F>
constexpr Function of(F) {
    return [](const Arguments& x) {
        const T a = std::bit_cast<T>(x.a), b = std::bit_cast<T>(x.b);
        if constexpr (std::is_invocable_v<F, T>) {
            return bitsOf(F{}(a));
        } else if constexpr (std::is_invocable_v<F, T, T>) {
            return bitsOf(F{}(a, b));
        } else {
            return bitsOf(F{}(a, x.p, x.q));
        }
    };
}
constexpr Function real(auto function) { return of<float>(function); }
constexpr Function whole(auto function) { return of<Int>(function); }

/// Moves the bits of one of its values, so that it serves every dtype.
Word choose(const Arguments& x) { return x.a != 0 ? x.b : x.c; }

Int floorDiv(Int a, Int b) {
    if (b == 0) return 0;
    if (b == -1) return subtracted(0, a);  // wraps for the least int
    const Int quotient = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}
Int mod(Int a, Int b) { return b == 0 ? 0 : subtracted(a, multiplied(floorDiv(a, b), b)); }
float mod(float a, float b) {
    if (!std::isfinite(a) || std::isnan(b) || b == 0) return notANumber;
    if (std::isinf(b)) return a == 0 || (a < 0) == (b < 0) ? a : b;
    const float rest = std::fmod(std::abs(a), std::abs(b));
    if (rest == 0) return std::copysign(0.0F, b);
    return (a < 0) == (b < 0) ? std::copysign(rest, b) : b - std::copysign(rest, b);
}

Int pow(Int a, Int b) {
    if (b < 0) return a == 1 ? 1 : a == -1 ? ((b & 1) != 0 ? -1 : 1) : 0;
    Int result = 1;
    for (; b != 0; b >>= 1) {
        if ((b & 1) != 0) result = multiplied(result, a);
        a = multiplied(a, a);
    }
    return result;
}
/// Unlike C, in which 1 to the power of NaN or infinity is 1, and so is -1 to that of infinity.
float pow(float a, float b) {
    if (b == 0) return 1;
    if (std::isnan(b) || (std::isinf(b) && std::abs(a) == 1)) return notANumber;
    return std::pow(a, b);
}

float clip(float x, float low, float high) { return std::isnan(x) ? x : std::min(std::max(x, low), high); }
Int clip(Int x, float low, float high) {
    // Limits beyond int32 do not limit.
    const auto limit = [](float at) {
        return at <= -2147483648.0F ? leastInt : at >= 2147483648.0F ? greatestInt : static_cast<Int>(at);
    };
    return std::min(std::max(x, limit(std::ceil(low))), limit(std::floor(high)));
}

float step(float x, float below) { return std::isnan(x) ? x : x > 0 ? 1.0F : below; }
float softplus(float x) { return std::isnan(x) ? x : std::max(x, 0.0F) + std::log1p(std::exp(-std::abs(x))); }
float square(float x) { return x * x; }
Int square(Int x) { return multiplied(x, x); }

// In the order of Op; where lines correspond, tensor/elementwise.cpp has the GLSL.
constexpr std::array<Operation, static_cast<std::size_t>(detail::Op::count)> table{{
    {real([](float a, float b) { return a + b; }), whole([](Int a, Int b) { return added(a, b); })},
    {real([](float a, float b) { return a - b; }), whole([](Int a, Int b) { return subtracted(a, b); })},
    {real([](float a, float b) { return a * b; }), whole([](Int a, Int b) { return multiplied(a, b); })},
    {real([](float a, float b) { return a / b; }), whole([](Int a, Int b) { return floorDiv(a, b); })},
    {real([](float a, float b) { return b == 0 ? 0.0F : a / b; })},  // divNoNan
    {real([](float a, float b) { return toInt(std::floor(a / b)); }),
     whole([](Int a, Int b) { return floorDiv(a, b); })},  // floorDiv
    {real([](float a, float b) { return mod(a, b); }), whole([](Int a, Int b) { return mod(a, b); })},
    {real([](float a, float b) { return pow(a, b); }), whole([](Int a, Int b) { return pow(a, b); })},
    {real([](float a, float b) { return maximum(a, b); }), whole([](Int a, Int b) { return std::max(a, b); })},
    {real([](float a, float b) { return minimum(a, b); }), whole([](Int a, Int b) { return std::min(a, b); })},
    {real([](float a, float b) { return square(a - b); }), whole([](Int a, Int b) { return square(subtracted(a, b)); })},
    {real([](float a, float b) { return std::atan2(a, b); })},
    {nullptr, whole([](Int a, Int b) { return a & b; })},        // bitwiseAnd
    {real([](float a, float b) { return a < 0 ? b * a : a; })},  // prelu

    {real([](float a, float b) { return a == b; }), whole([](Int a, Int b) { return a == b; })},
    {real([](float a, float b) { return a != b; }), whole([](Int a, Int b) { return a != b; })},
    {real([](float a, float b) { return a > b; }), whole([](Int a, Int b) { return a > b; })},
    {real([](float a, float b) { return a >= b; }), whole([](Int a, Int b) { return a >= b; })},
    {real([](float a, float b) { return a < b; }), whole([](Int a, Int b) { return a < b; })},
    {real([](float a, float b) { return a <= b; }), whole([](Int a, Int b) { return a <= b; })},

    {nullptr, whole([](Int a, Int b) { return a & b; })},  // logicalAnd
    {nullptr, whole([](Int a, Int b) { return a | b; })},
    {nullptr, whole([](Int a, Int b) { return a ^ b; })},
    {nullptr, whole([](Int a) { return 1 - a; })},
    {choose, choose},

    {real([](float a) { return -a; }), whole([](Int a) { return subtracted(0, a); })},
    {real([](float a) { return std::abs(a); }), whole([](Int a) { return a < 0 ? subtracted(0, a) : a; })},
    {real([](float a) { return static_cast<float>(int{a > 0} - int{a < 0}); }),
     whole([](Int a) { return int{a > 0} - int{a < 0}; })},  // sign; of NaN 0
    {real([](float a) { return std::floor(a); })},
    {real([](float a) { return std::ceil(a); })},
    {real([](float a) { return std::nearbyint(a); }), whole([](Int a) { return a; })},  // halves to even
    {real([](float a) { return square(a); }), whole([](Int a) { return square(a); })},
    {real([](float a) { return 1 / a; })},  // reciprocal
    {real([](float a, float p, float q) { return clip(a, p, q); }),
     whole([](Int a, float p, float q) { return clip(a, p, q); })},
    {real([](float a, float p, float) { return step(a, p); }),
     whole([](Int a, float p, float) { return a > 0 ? 1 : toInt(p); })},  // step

    {real([](float a) { return std::exp(a); })},
    {real([](float a) { return std::expm1(a); })},
    {real([](float a) { return std::log(a); })},
    {real([](float a) { return std::log1p(a); })},
    {real([](float a) { return std::sqrt(a); })},
    {real([](float a) { return 1 / std::sqrt(a); })},
    {real([](float a) { return std::erf(a); })},

    {real([](float a) { return std::sin(a); })},
    {real([](float a) { return std::cos(a); })},
    {real([](float a) { return std::tan(a); })},
    {real([](float a) { return std::asin(a); })},
    {real([](float a) { return std::acos(a); })},
    {real([](float a) { return std::atan(a); })},
    {real([](float a) { return std::sinh(a); })},
    {real([](float a) { return std::cosh(a); })},
    {real([](float a) { return std::tanh(a); })},
    {real([](float a) { return std::asinh(a); })},
    {real([](float a) { return std::acosh(a); })},
    {real([](float a) { return std::atanh(a); })},

    {real([](float a) { return maximum(a, 0); }), whole([](Int a) { return std::max(a, 0); })},
    {real([](float a) { return clip(a, 0, 6); }), whole([](Int a) { return std::clamp(a, 0, 6); })},
    {real([](float a, float p, float) { return a < 0 ? p * a : a; })},  // leakyRelu
    {real([](float a) { return a < 0 ? std::expm1(a) : a; })},
    {real([](float a) { return 1.0507009873554805F * (a < 0 ? 1.6732632423543772F * std::expm1(a) : a); })},
    {real([](float a) { return 1 / (1 + std::exp(-a)); })},
    {real([](float a) { return -softplus(-a); })},
    {real([](float a) { return softplus(a); })},

    {real([](float a) { return std::isnan(a); })},
    {real([](float a) { return std::isinf(a); })},
    {real([](float a) { return std::isfinite(a); })},

    {real([](float a) { return a; }), whole([](Int a) { return static_cast<float>(a); })},
    {real([](float a) { return toInt(a); }), whole([](Int a) { return a; })},
    {real([](float a) { return a != 0; }), whole([](Int a) { return a != 0; })},
}};

}  // namespace

const Operation& operation(detail::Op op) noexcept { return table[static_cast<std::size_t>(op)]; }

}  // namespace stile::host
