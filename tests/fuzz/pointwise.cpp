#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <stile/error.hpp>
#include <stile/ops.hpp>

#include "graph.hpp"

namespace fuzz {
namespace {

using stile::DType;
using stile::Tensor;
using Operands = std::vector<Operand>;
using One = Tensor (*)(const Tensor&);
using Two = Tensor (*)(const Tensor&, const Tensor&);

constexpr double infinity = std::numeric_limits<double>::infinity();

template <One op>
Tensors one(const Tensors& x) {
    return {op(x[0])};
}
template <Two op>
Tensors two(const Tensors& x) {
    return {op(x[0], x[1])};
}

bool broadcast(const Operands& x) {
    try {
        stile::Shape shape = x[0].value.shape;
        for (const Operand& operand : x) shape = stile::broadcastShapes(shape, operand.value.shape);
        return shape.size() <= 4000;
    } catch (const stile::Error&) {
        return false;
    }
}
bool exact(const Operands& x) {
    return std::ranges::all_of(x, [](const Operand& operand) { return operand.error == 0; });
}
bool anyComplex(const Operands& x) {
    return std::ranges::any_of(x, [](const Operand& operand) { return operand.value.isComplex(); });
}
bool allBool(const Operands& x) {
    return std::ranges::all_of(x, [](const Operand& operand) { return operand.value.isBool(); });
}
/// Whether it is computed in float32; then int32 numbers beyond what float32 holds are not what this is about.
bool real(const Operands& x) {
    return std::ranges::any_of(x, [](const Operand& operand) { return operand.value.isFloat(); });
}
bool fits(const Operands& x) {
    return !real(x) || std::ranges::all_of(x, [](const Operand& operand) { return operand.value.most() <= 65536; });
}

/// Keeps distances, at most.
template <One op>
Draft steady(Draw&, const Operands& x) {
    if (x[0].value.isComplex()) return {};
    return Call{.run = one<op>, .error = x[0].error};
}
/// Jumps, so only what is exact goes in.
template <One op>
Draft jumping(Draw&, const Operands& x) {
    if (x[0].value.isComplex() || x[0].error > 0) return {};
    return Call{.run = one<op>, .continuous = false};
}
/// Takes float32 only.
template <One op>
Draft jumpingFloat(Draw& draw, const Operands& x) {
    return x[0].value.isFloat() ? jumping<op>(draw, x) : Draft{};
}

/// Where a smooth function is asked for, and its largest slope there.
struct Domain {
    double low = -infinity, high = infinity, slope = 1;
};
constexpr Domain exponential{-6, 6, 404};  // e to the power 6
template <One op, Domain domain = Domain{}>
Draft smooth(Draw&, const Operands& x) {
    if (!x[0].value.isFloat() || !x[0].value.finite() || x[0].value.most() > 1000) return {};
    if (x[0].value.lowest() - x[0].error < domain.low || x[0].value.highest() + x[0].error > domain.high) return {};
    return Call{.run = one<op>, .error = domain.slope * x[0].error, .ulps = 16};
}

template <Two op>
Draft sum(Draw&, const Operands& x) {
    if (anyComplex(x) || !broadcast(x) || !fits(x)) return {};
    return Call{.run = two<op>, .error = x[0].error + x[1].error};
}
Draft product(Draw&, const Operands& x) {
    if (anyComplex(x) || !broadcast(x) || !fits(x)) return {};
    const double error = x[0].value.most() * x[1].error + x[1].value.most() * x[0].error + x[0].error * x[1].error;
    return Call{.run = two<stile::mul>, .error = error};
}
Draft squaredDifference(Draw&, const Operands& x) {
    if (anyComplex(x) || !broadcast(x) || !fits(x)) return {};
    const double apart = x[0].error + x[1].error;
    const double top = x[0].value.most() + x[1].value.most();
    return Call{
        .run = two<stile::squaredDifference>, .error = exact(x) ? 0 : (2 * top + apart) * (apart + 1e-6 * top), .ulps = 4};
}
Draft square(Draw&, const Operands& x) {
    if (x[0].value.isComplex()) return {};
    return Call{.run = one<stile::square>, .error = (2 * x[0].value.most() + x[0].error) * x[0].error};
}
template <Two op>
Draft quotient(Draw&, const Operands& x) {
    if (anyComplex(x) || !broadcast(x) || !fits(x)) return {};
    const Operand& b = x[1];
    if (!real(x) && op == static_cast<Two>(stile::div)) return Call{.run = two<op>, .continuous = false};
    if (x[0].value.most() > 65536 || b.value.most() > 65536 || b.value.least() < 0.25 + 2 * b.error) return {};
    if (!x[0].value.finite() || !b.value.finite()) return {};
    const double error = (x[0].error + x[0].value.most() * b.error / b.value.least()) / (b.value.least() - b.error);
    return Call{.run = two<op>, .error = error, .ulps = 4};
}
template <Two op>
Draft rounding(Draw&, const Operands& x) {
    if (anyComplex(x) || !broadcast(x) || !fits(x) || !exact(x)) return {};
    if (real(x) && (x[1].value.least() == 0 || !x[0].value.finite() || !x[1].value.finite())) return {};
    return Call{.run = two<op>, .continuous = false};
}
Draft power(Draw&, const Operands& x) {
    if (!broadcast(x) || !exact(x) || !x[0].value.isFloat() || anyComplex(x)) return {};
    if (x[0].value.lowest() < 0.25 || x[0].value.highest() > 4 || x[1].value.most() > 4 || !x[1].value.finite()) return {};
    return Call{.run = two<stile::pow>, .ulps = 32};
}
Draft angle(Draw&, const Operands& x) {
    if (!broadcast(x) || !exact(x) || anyComplex(x) || !fits(x) || !real(x)) return {};
    if (x[0].value.least() < 0.125 || x[1].value.least() < 0.125 || !x[0].value.finite() || !x[1].value.finite()) return {};
    return Call{.run = two<stile::atan2>, .ulps = 16};
}
template <Two op>
Draft comparison(Draw&, const Operands& x) {
    if (anyComplex(x) || !broadcast(x) || !fits(x) || !exact(x)) return {};
    return Call{.run = two<op>, .continuous = false};
}
template <Two op>
Draft logic(Draw&, const Operands& x) {
    if (!allBool(x) || !broadcast(x)) return {};
    return Call{.run = two<op>, .continuous = false};
}
Draft negation(Draw&, const Operands& x) {
    if (!allBool(x)) return {};
    return Call{.run = one<stile::logicalNot>, .continuous = false};
}
Draft bits(Draw&, const Operands& x) {
    if (!x[0].value.isInt() || !x[1].value.isInt() || !broadcast(x)) return {};
    return Call{.run = two<stile::bitwiseAnd>, .continuous = false};
}
Draft where(Draw&, const Operands& x) {
    const bool complex = x[1].value.isComplex() || x[2].value.isComplex();
    if (!x[0].value.isBool() || complex || !broadcast(x) || !fits({x[1], x[2]})) return {};
    return Call{.run = [](const Tensors& t) { return Tensors{stile::where(t[0], t[1], t[2])}; },
                .error = std::max(x[1].error, x[2].error)};
}
Draft convert(Draw& draw, const Operands& x) {
    static const std::vector<DType> dtypes{DType::float32, DType::int32, DType::boolean, DType::complex64};
    const DType dtype = draw.of(dtypes);
    if (x[0].value.isComplex() || x[0].error > 0 || !fits(x)) return {};
    if ((dtype == DType::float32 || dtype == DType::complex64) && x[0].value.most() > 65536) return {};
    return Call{.arguments = std::string(stile::name(dtype)),
                .run = [dtype](const Tensors& t) { return Tensors{stile::cast(t[0], dtype)}; },
                .continuous = false};
}
Draft clip(Draw& draw, const Operands& x) {
    if (x[0].value.isComplex()) return {};
    const auto low = static_cast<float>(draw.between(-8, 2)), high = low + static_cast<float>(draw.between(0, 6));
    return Call{.arguments = fmt::format("{}, {}", low, high),
                .run = [low, high](const Tensors& t) { return Tensors{stile::clipByValue(t[0], low, high)}; },
                .error = x[0].error};
}
Draft leaky(Draw& draw, const Operands& x) {
    if (!x[0].value.isFloat()) return {};
    const auto alpha = static_cast<float>(draw.between(-4, 4)) / 4;
    return Call{.arguments = fmt::format("{}", alpha),
                .run = [alpha](const Tensors& t) { return Tensors{stile::leakyRelu(t[0], alpha)}; },
                .error = x[0].error};
}
Draft prelu(Draw&, const Operands& x) {
    if (!x[0].value.isFloat() || !x[1].value.isFloat() || !broadcast(x)) return {};
    const double error = (x[1].value.most() + 1) * x[0].error + x[0].value.most() * x[1].error + x[0].error * x[1].error;
    return Call{.run = two<stile::prelu>, .error = error};
}
Draft step(Draw& draw, const Operands& x) {
    if (!x[0].value.isFloat() || x[0].error > 0) return {};
    const auto alpha = static_cast<float>(draw.between(-4, 4)) / 4;
    return Call{.arguments = fmt::format("{}", alpha),
                .run = [alpha](const Tensors& t) { return Tensors{stile::step(t[0], alpha)}; },
                .continuous = false};
}
template <Two op>
Draft complexSum(Draw&, const Operands& x) {
    if (!anyComplex(x) || !broadcast(x) || x[0].value.most() > 65536 || x[1].value.most() > 65536) return {};
    if (!x[0].value.finite() || !x[1].value.finite()) return {};
    return Call{.run = two<op>, .error = x[0].error + x[1].error};
}
Draft complexProduct(Draw&, const Operands& x) {
    if (!anyComplex(x) || !broadcast(x) || x[0].value.most() > 65536 || x[1].value.most() > 65536) return {};
    if (!x[0].value.finite() || !x[1].value.finite()) return {};
    const double ma = x[0].value.most(), mb = x[1].value.most();
    return Call{.run = two<stile::mul>, .error = 2 * (ma * x[1].error + mb * x[0].error + x[0].error * x[1].error), .ulps = 4};
}
Draft pair(Draw&, const Operands& x) {
    if (!x[0].value.isFloat() || !x[1].value.isFloat() || !(x[0].value.shape == x[1].value.shape)) return {};
    return Call{.run = two<stile::complex>, .error = std::max(x[0].error, x[1].error)};
}
template <One op>
Draft part(Draw&, const Operands& x) {
    if (!x[0].value.isComplex()) return {};
    return Call{.run = one<op>, .error = 1.5 * x[0].error, .ulps = 4};
}

constexpr std::array operations{
    Operation{"neg", 1, steady<stile::neg>},
    Operation{"abs", 1, steady<stile::abs>},
    Operation{"relu", 1, steady<stile::relu>},
    Operation{"relu6", 1, steady<stile::relu6>},
    Operation{"square", 1, square},
    Operation{"clipByValue", 1, clip},
    Operation{"leakyRelu", 1, leaky},
    Operation{"prelu", 2, prelu},
    Operation{"step", 1, step},
    Operation{"sign", 1, jumping<stile::sign>},
    Operation{"round", 1, jumping<stile::round>},
    Operation{"floor", 1, jumpingFloat<stile::floor>},
    Operation{"ceil", 1, jumpingFloat<stile::ceil>},
    Operation{"isNaN", 1, jumpingFloat<stile::isNaN>},
    Operation{"isInf", 1, jumpingFloat<stile::isInf>},
    Operation{"isFinite", 1, jumpingFloat<stile::isFinite>},
    Operation{"exp", 1, smooth<stile::exp, exponential>},
    Operation{"expm1", 1, smooth<stile::expm1, exponential>},
    Operation{"log", 1, smooth<stile::log, Domain{0.25, infinity, 4}>},
    Operation{"log1p", 1, smooth<stile::log1p, Domain{-0.75, infinity, 4}>},
    Operation{"sqrt", 1, smooth<stile::sqrt, Domain{0.25, infinity, 1}>},
    Operation{"rsqrt", 1, smooth<stile::rsqrt, Domain{0.25, infinity, 4}>},
    Operation{"reciprocal", 1, smooth<stile::reciprocal, Domain{0.25, infinity, 16}>},
    Operation{"erf", 1, smooth<stile::erf, Domain{-infinity, infinity, 1.2}>},
    Operation{"sin", 1, smooth<stile::sin>},
    Operation{"cos", 1, smooth<stile::cos>},
    Operation{"tan", 1, smooth<stile::tan, Domain{-1.0, 1.0, 3.5}>},
    Operation{"asin", 1, smooth<stile::asin, Domain{-0.9, 0.9, 2.3}>},
    Operation{"acos", 1, smooth<stile::acos, Domain{-0.9, 0.9, 2.3}>},
    Operation{"atan", 1, smooth<stile::atan>},
    Operation{"sinh", 1, smooth<stile::sinh, exponential>},
    Operation{"cosh", 1, smooth<stile::cosh, exponential>},
    Operation{"tanh", 1, smooth<stile::tanh>},
    Operation{"asinh", 1, smooth<stile::asinh>},
    Operation{"acosh", 1, smooth<stile::acosh, Domain{1.25, infinity, 1.4}>},
    Operation{"atanh", 1, smooth<stile::atanh, Domain{-0.75, 0.75, 2.3}>},
    Operation{"elu", 1, smooth<stile::elu>},
    Operation{"selu", 1, smooth<stile::selu, Domain{-infinity, infinity, 1.8}>},
    Operation{"sigmoid", 1, smooth<stile::sigmoid>},
    Operation{"logSigmoid", 1, smooth<stile::logSigmoid>},
    Operation{"softplus", 1, smooth<stile::softplus>},
    Operation{"add", 2, sum<stile::add>},
    Operation{"sub", 2, sum<stile::sub>},
    Operation{"maximum", 2, sum<stile::maximum>},
    Operation{"minimum", 2, sum<stile::minimum>},
    Operation{"mul", 2, product},
    Operation{"squaredDifference", 2, squaredDifference},
    Operation{"div", 2, quotient<stile::div>},
    Operation{"divNoNan", 2, quotient<stile::divNoNan>},
    Operation{"mod", 2, rounding<stile::mod>},
    Operation{"floorDiv", 2, rounding<stile::floorDiv>},
    Operation{"pow", 2, power},
    Operation{"atan2", 2, angle},
    Operation{"equal", 2, comparison<stile::equal>},
    Operation{"notEqual", 2, comparison<stile::notEqual>},
    Operation{"greater", 2, comparison<stile::greater>},
    Operation{"greaterEqual", 2, comparison<stile::greaterEqual>},
    Operation{"less", 2, comparison<stile::less>},
    Operation{"lessEqual", 2, comparison<stile::lessEqual>},
    Operation{"logicalAnd", 2, logic<stile::logicalAnd>},
    Operation{"logicalOr", 2, logic<stile::logicalOr>},
    Operation{"logicalXor", 2, logic<stile::logicalXor>},
    Operation{"logicalNot", 1, negation},
    Operation{"bitwiseAnd", 2, bits},
    Operation{"where", 3, where},
    Operation{"cast", 1, convert},
    Operation{"add", 2, complexSum<stile::add>},
    Operation{"sub", 2, complexSum<stile::sub>},
    Operation{"mul", 2, complexProduct},
    Operation{"complex", 2, pair},
    Operation{"real", 1, part<stile::real>},
    Operation{"imag", 1, part<stile::imag>},
    Operation{"abs", 1, part<stile::abs>},
};

}  // namespace

std::span<const Operation> pointwise() { return operations; }

}  // namespace fuzz
