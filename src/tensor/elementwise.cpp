#include "tensor/elementwise.hpp"

#include <array>
#include <cstddef>

namespace stile::detail {
namespace {

constexpr std::array<Row, static_cast<std::size_t>(Op::count)> table{{
    {"add", 2, Rule::arithmetic, "a + b", "a + b"},
    {"sub", 2, Rule::arithmetic, "a - b", "a - b"},
    {"mul", 2, Rule::arithmetic, "a * b", "a * b"},
    {"div", 2, Rule::arithmetic, "a / b", "st_floorDiv(a, b)"},
    {"divNoNan", 2, Rule::toReal, "b == 0.0 ? 0.0 : a / b", ""},
    {"floorDiv", 2, Rule::toInteger, "st_toInt(floor(a / b))", "st_floorDiv(a, b)"},
    {"mod", 2, Rule::arithmetic, "st_mod(a, b)", "st_mod(a, b)", 0, 35},
    {"pow", 2, Rule::arithmetic, "st_pow(a, b)", "st_pow(a, b)", 0, 31},
    {"maximum", 2, Rule::arithmetic, "st_max(a, b)", "max(a, b)"},
    {"minimum", 2, Rule::arithmetic, "st_min(a, b)", "min(a, b)"},
    {"squaredDifference", 2, Rule::arithmetic, "(a - b) * (a - b)", "(a - b) * (a - b)"},
    {"atan2", 2, Rule::toReal, "st_atan2(a, b)", ""},
    {"bitwiseAnd", 2, Rule::integer, "", "a & b"},
    {"prelu", 2, Rule::toReal, "a < 0.0 ? b * a : a", ""},

    {"equal", 2, Rule::comparison, "int(st_equal(a, b))", "int(a == b)"},
    {"notEqual", 2, Rule::comparison, "int(!st_equal(a, b))", "int(a != b)"},
    {"greater", 2, Rule::comparison, "int(st_less(b, a))", "int(a > b)"},
    {"greaterEqual", 2, Rule::comparison, "int(st_less(b, a) || st_equal(a, b))", "int(a >= b)"},
    {"less", 2, Rule::comparison, "int(st_less(a, b))", "int(a < b)"},
    {"lessEqual", 2, Rule::comparison, "int(st_less(a, b) || st_equal(a, b))", "int(a <= b)"},

    {"logicalAnd", 2, Rule::logical, "", "a & b"},
    {"logicalOr", 2, Rule::logical, "", "a | b"},
    {"logicalXor", 2, Rule::logical, "", "a ^ b"},
    {"logicalNot", 1, Rule::logical, "", "1 - a"},
    {"where", 3, Rule::select, "a != 0 ? b : c", "a != 0 ? b : c"},

    {"neg", 1, Rule::arithmetic, "-a", "-a"},
    {"abs", 1, Rule::arithmetic, "st_abs(a)", "abs(a)"},
    {"sign", 1, Rule::arithmetic, "st_sign(a)", "sign(a)"},
    {"floor", 1, Rule::real, "floor(a)", ""},
    {"ceil", 1, Rule::real, "st_ceil(a)", ""},
    {"round", 1, Rule::arithmetic, "st_round(a)", "a"},
    {"square", 1, Rule::arithmetic, "a * a", "a * a"},
    {"reciprocal", 1, Rule::toReal, "1.0 / a", ""},
    {"clipByValue", 1, Rule::arithmetic, "st_clip(a, p, q)", "st_clip(a, p, q)", 2},
    {"step", 1, Rule::arithmetic, "st_isNaN(a) ? a : (a > 0.0 ? 1.0 : p)", "a > 0 ? 1 : st_toInt(p)", 1},

    {"exp", 1, Rule::toReal, "st_exp(a)", ""},
    {"expm1", 1, Rule::toReal, "st_expm1(a)", ""},
    {"log", 1, Rule::real, "st_log(a)", ""},
    {"log1p", 1, Rule::toReal, "st_log1p(a)", ""},
    {"sqrt", 1, Rule::real, "st_sqrt(a)", ""},
    {"rsqrt", 1, Rule::real, "1.0 / st_sqrt(a)", ""},
    {"erf", 1, Rule::toReal, "st_erf(a)", ""},

    {"sin", 1, Rule::real, "st_sin(a)", ""},
    {"cos", 1, Rule::real, "st_cos(a)", ""},
    {"tan", 1, Rule::real, "st_tan(a)", ""},
    {"asin", 1, Rule::toReal, "st_asin(a)", ""},
    {"acos", 1, Rule::toReal, "st_acos(a)", ""},
    {"atan", 1, Rule::toReal, "st_atan2(a, 1.0)", ""},
    {"sinh", 1, Rule::toReal, "st_sinh(a)", ""},
    {"cosh", 1, Rule::real, "st_cosh(a)", ""},
    {"tanh", 1, Rule::real, "st_tanh(a)", ""},
    {"asinh", 1, Rule::toReal, "st_asinh(a)", ""},
    {"acosh", 1, Rule::toReal, "st_acosh(a)", ""},
    {"atanh", 1, Rule::toReal, "st_atanh(a)", ""},

    {"relu", 1, Rule::arithmetic, "st_relu(a)", "max(a, 0)"},
    {"relu6", 1, Rule::arithmetic, "st_clip(a, 0.0, 6.0)", "clamp(a, 0, 6)"},
    {"leakyRelu", 1, Rule::toReal, "a < 0.0 ? p * a : a", "", 1},
    {"elu", 1, Rule::real, "a < 0.0 ? st_expm1(a) : a", ""},
    {"selu", 1, Rule::toReal, "1.0507009873554805 * (a < 0.0 ? 1.6732632423543772 * st_expm1(a) : a)", ""},
    {"sigmoid", 1, Rule::real, "1.0 / (1.0 + st_exp(-a))", ""},
    {"logSigmoid", 1, Rule::toReal, "-st_softplus(-a)", ""},
    {"softplus", 1, Rule::toReal, "st_softplus(a)", ""},

    {"isNaN", 1, Rule::classify, "int(st_isNaN(a))", ""},
    {"isInf", 1, Rule::classify, "int(st_isInf(a))", ""},
    {"isFinite", 1, Rule::classify, "int(st_isFinite(a))", ""},

    {"cast", 1, Rule::conversion, "a", "float(a)"},
    {"cast", 1, Rule::conversion, "st_toInt(a)", "a"},
    {"cast", 1, Rule::conversion, "int(!st_equal(a, 0.0))", "int(a != 0)"},
}};

}  // namespace

const Row& row(Op op) noexcept { return table[static_cast<std::size_t>(op)]; }

DType computedIn(Op op, DType promoted) noexcept {
    switch (row(op).rule) {
        case Rule::real:
        case Rule::toReal:
        case Rule::classify: return DType::float32;
        case Rule::logical:
        case Rule::integer: return DType::int32;
        case Rule::select:
        case Rule::conversion: return promoted;
        default: return promoted == DType::float32 ? DType::float32 : DType::int32;
    }
}

DType resultOf(Op op, DType computed) noexcept {
    switch (row(op).rule) {
        case Rule::toInteger: return DType::int32;
        case Rule::comparison:
        case Rule::logical:
        case Rule::classify: return DType::boolean;
        case Rule::conversion: return op == Op::toFloat ? DType::float32 : op == Op::toInt ? DType::int32 : DType::boolean;
        default: return computed;
    }
}

}  // namespace stile::detail
