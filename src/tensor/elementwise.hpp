#pragma once

#include <cstdint>
#include <string_view>

#include "stile/dtype.hpp"

namespace stile::detail {

/// The element-wise operations: the rows of the table in elementwise.cpp, in its order.
// clang-format off
enum class Op : std::uint8_t {
    add, sub, mul, div, divNoNan, floorDiv, mod, pow, maximum, minimum, squaredDifference, atan2, bitwiseAnd, prelu,
    equal, notEqual, greater, greaterEqual, less, lessEqual,
    logicalAnd, logicalOr, logicalXor, logicalNot, where,
    neg, abs, sign, floor, ceil, round, square, reciprocal, clipByValue, step,
    exp, expm1, log, log1p, sqrt, rsqrt, erf,
    sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh,
    relu, relu6, leakyRelu, elu, selu, sigmoid, logSigmoid, softplus,
    isNaN, isInf, isFinite,
    toFloat, toInt, toBool,
    count
};
// clang-format on

/// What a row takes and gives.
enum class Rule : std::uint8_t {
    arithmetic,  ///< promoted, bool as int32; the result has that dtype
    real,        ///< float32 only; any int32 or bool is refused
    toReal,      ///< computed in float32 whatever the dtype
    integer,     ///< int32 only
    toInteger,   ///< promoted like arithmetic; gives int32
    comparison,  ///< promoted like arithmetic; gives bool
    logical,     ///< bool only; gives bool
    classify,    ///< computed in float32; gives bool
    select,      ///< a bool condition and two promoted operands
    conversion,  ///< any dtype; the row says the result
};

/// One row. The expressions are GLSL on `a`, `b`, `c` (operands, in the dtype computed in) and `p`, `q` (parameters);
/// functions that begin with st_ come from shaders/lib/math.glsl. A bool is an int that is 0 or 1.
struct Row {
    std::string_view name;
    int operands;
    Rule rule;
    std::string_view real;     ///< where computed in float32; empty if it never is
    std::string_view integer;  ///< where computed in int32; empty if it never is
    int params = 0;            ///< how many of `p` and `q` they use
    int turns = 0;             ///< how many turns the loops in them take at most
};

[[nodiscard]] const Row& row(Op op) noexcept;

/// The dtype in which a row computes operands of these dtypes. For `select` that of the two values, not of the condition.
[[nodiscard]] DType computedIn(Op op, DType promoted) noexcept;
/// The dtype of the result, given the dtype computed in.
[[nodiscard]] DType resultOf(Op op, DType computed) noexcept;

}  // namespace stile::detail
