#include <array>

#include <stile/ops/elementwise.hpp>

#include "table.hpp"

namespace replay {
namespace {

using stile::DType;

/// Host values of a logical operation become bools.
template <auto function>
Results logical(const Arguments& a) {
    return function(a[0].tensor(DType::boolean), a[1].tensor(DType::boolean));
}

const std::array rows{
    Row{"add", binary<stile::add>},
    Row{"addN", [](const Arguments& a) -> Results { return stile::addN(a[0].tensors()); }},
    Row{"sub", binary<stile::sub>},
    Row{"mul", binary<stile::mul>},
    Row{"div", binary<stile::div>},
    Row{"divNoNan", binary<stile::divNoNan>},
    Row{"floorDiv", binary<stile::floorDiv>},
    Row{"mod", binary<stile::mod>},
    Row{"pow", binary<stile::pow>},
    Row{"maximum", binary<stile::maximum>},
    Row{"minimum", binary<stile::minimum>},
    Row{"squaredDifference", binary<stile::squaredDifference>},
    Row{"atan2", binary<stile::atan2>},
    Row{"bitwiseAnd", binary<stile::bitwiseAnd>},
    Row{"equal", binary<stile::equal>},
    Row{"notEqual", binary<stile::notEqual>},
    Row{"greater", binary<stile::greater>},
    Row{"greaterEqual", binary<stile::greaterEqual>},
    Row{"less", binary<stile::less>},
    Row{"lessEqual", binary<stile::lessEqual>},
    Row{"logicalAnd", logical<stile::logicalAnd>},
    Row{"logicalOr", logical<stile::logicalOr>},
    Row{"logicalXor", logical<stile::logicalXor>},
    Row{"logicalNot", [](const Arguments& a) -> Results { return stile::logicalNot(a[0].tensor(DType::boolean)); }},
    Row{"where",
        [](const Arguments& a) -> Results { return stile::where(a[0].tensor(DType::boolean), a[1].tensor(), a[2].tensor()); }},
    Row{"neg", unary<stile::neg>},
    Row{"abs", unary<stile::abs>},
    Row{"sign", unary<stile::sign>},
    Row{"floor", unary<stile::floor>},
    Row{"ceil", unary<stile::ceil>},
    Row{"round", unary<stile::round>},
    Row{"square", unary<stile::square>},
    Row{"reciprocal", unary<stile::reciprocal>},
    Row{"clipByValue",
        [](const Arguments& a) -> Results {
            return stile::clipByValue(a[0].tensor(), static_cast<float>(a[1].number()), static_cast<float>(a[2].number()));
        }},
    Row{"step", [](const Arguments& a) -> Results { return stile::step(a[0].tensor(), static_cast<float>(a[1].number(0))); }},
    Row{"exp", unary<stile::exp>},
    Row{"expm1", unary<stile::expm1>},
    Row{"log", unary<stile::log>},
    Row{"log1p", unary<stile::log1p>},
    Row{"sqrt", unary<stile::sqrt>},
    Row{"rsqrt", unary<stile::rsqrt>},
    Row{"erf", unary<stile::erf>},
    Row{"sin", unary<stile::sin>},
    Row{"cos", unary<stile::cos>},
    Row{"tan", unary<stile::tan>},
    Row{"asin", unary<stile::asin>},
    Row{"acos", unary<stile::acos>},
    Row{"atan", unary<stile::atan>},
    Row{"sinh", unary<stile::sinh>},
    Row{"cosh", unary<stile::cosh>},
    Row{"tanh", unary<stile::tanh>},
    Row{"asinh", unary<stile::asinh>},
    Row{"acosh", unary<stile::acosh>},
    Row{"atanh", unary<stile::atanh>},
    Row{"relu", unary<stile::relu>},
    Row{"relu6", unary<stile::relu6>},
    Row{"leakyRelu",
        [](const Arguments& a) -> Results { return stile::leakyRelu(a[0].tensor(), static_cast<float>(a[1].number(0.2))); }},
    Row{"prelu", binary<stile::prelu>},
    Row{"elu", unary<stile::elu>},
    Row{"selu", unary<stile::selu>},
    Row{"sigmoid", unary<stile::sigmoid>},
    Row{"logSigmoid", unary<stile::logSigmoid>},
    Row{"softplus", unary<stile::softplus>},
    Row{"isNaN", unary<stile::isNaN>},
    Row{"isInf", unary<stile::isInf>},
    Row{"isFinite", unary<stile::isFinite>},
    Row{"upcastType",
        [](const Arguments& a) -> Results {
            const DType common = stile::promote(a[0].dtype(DType::float32), a[1].dtype(DType::float32));
            return std::string(stile::name(common));
        }},
    Row{"cast", [](const Arguments& a) -> Results { return stile::cast(a[0].tensor(), a[1].dtype(DType::float32)); }},
};

}  // namespace

std::span<const Row> elementwiseRows() { return rows; }

}  // namespace replay
