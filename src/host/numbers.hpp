#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

/// Functions of shaders/lib/math.glsl for which the CPU's own are no substitute.
namespace stile::host {

using Int = std::int32_t;
using Unsigned = std::uint32_t;

inline constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();
inline constexpr float infinity = std::numeric_limits<float>::infinity();
inline constexpr Int leastInt = std::numeric_limits<Int>::min();
inline constexpr Int greatestInt = std::numeric_limits<Int>::max();

/// int32 arithmetic wraps on a GPU; in C++ only unsigned arithmetic may.
[[nodiscard]] constexpr Int wrapped(Unsigned value) noexcept { return static_cast<Int>(value); }
[[nodiscard]] constexpr Int added(Int a, Int b) noexcept {
    return wrapped(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
}
[[nodiscard]] constexpr Int subtracted(Int a, Int b) noexcept {
    return wrapped(static_cast<Unsigned>(a) - static_cast<Unsigned>(b));
}
[[nodiscard]] constexpr Int multiplied(Int a, Int b) noexcept {
    return wrapped(static_cast<Unsigned>(a) * static_cast<Unsigned>(b));
}

/// NaN if either is.
[[nodiscard]] inline float maximum(float a, float b) noexcept { return std::isnan(a) ? a : std::isnan(b) ? b : std::max(a, b); }
[[nodiscard]] inline float minimum(float a, float b) noexcept { return std::isnan(a) ? a : std::isnan(b) ? b : std::min(a, b); }

/// Modulo 2^32, as ECMAScript's ToInt32 (ECMA-262 §7.1.6); NaN and infinities give 0.
[[nodiscard]] inline Int toInt(float x) noexcept {
    if (!std::isfinite(x)) return 0;
    const double whole = std::fmod(std::trunc(static_cast<double>(x)), 4294967296.0);
    return wrapped(static_cast<Unsigned>(static_cast<std::int64_t>(whole)));
}

}  // namespace stile::host
