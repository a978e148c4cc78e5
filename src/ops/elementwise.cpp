#include "stile/ops/elementwise.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "ops/check.hpp"
#include "ops/on_host.hpp"
#include "stile/create.hpp"
#include "stile/ops/complex.hpp"
#include "tensor/elementwise.hpp"

namespace stile {
namespace {

using detail::Op;
using detail::Rule;

void expectDTypes(const detail::Row& row, std::initializer_list<Tensor> inputs) {
    for (const Tensor& x : inputs) {
        const bool bad = (row.rule == Rule::real && x.dtype() != DType::float32) ||
                         (row.rule == Rule::integer && x.dtype() != DType::int32) ||
                         (row.rule == Rule::logical && x.dtype() != DType::boolean);
        if (!bad) continue;
        throw Error(errc::wrong_dtype,
                    fmt::format("{}: operand {} is {}; takes {}", row.name, toString(x.shape()), name(x.dtype()),
                                row.rule == Rule::real      ? "float32"
                                : row.rule == Rule::integer ? "int32"
                                                            : "bool"));
    }
}

[[noreturn]] void refuse(const detail::Row& row, const Tensor& x) {
    throw Error(errc::wrong_dtype, fmt::format("{}: does not take {} {}", row.name, name(x.dtype()), toString(x.shape())));
}

bool anyIs(DType dtype, std::initializer_list<Tensor> inputs) {
    return std::ranges::any_of(inputs, [dtype](const Tensor& x) { return x.dtype() == dtype; });
}

/// The ranks of strings in alphabetical order (of their bytes), in place of them: they compare alike.
std::pair<Tensor, Tensor> ranksOf(const detail::Row& row, const Tensor& a, const Tensor& b) {
    for (const Tensor* x : {&a, &b}) {
        if (row.rule != Rule::comparison || x->dtype() != DType::string) refuse(row, *x);
    }
    const auto left = ops::elementsOf<std::string>(a), right = ops::elementsOf<std::string>(b);
    std::vector<std::string_view> sorted(left.begin(), left.end());
    sorted.insert(sorted.end(), right.begin(), right.end());
    std::ranges::sort(sorted);
    const auto ranks = [&](const Tensor& x, std::span<const std::string> strings) {
        std::vector<std::int32_t> out;
        for (const std::string& each : strings) {
            out.push_back(static_cast<std::int32_t>(std::ranges::lower_bound(sorted, std::string_view(each)) - sorted.begin()));
        }
        return ops::onHost(row.name.data(), x.shape(), std::move(out));
    };
    return {ranks(a, left), ranks(b, right)};
}

/// A row on operands of which at least one is complex64: composed of rows on their parts.
Tensor applyComplex(Op op, std::initializer_list<Tensor> inputs) {
    const Tensor *const x = inputs.begin(), *const y = x + 1, *const z = x + 2;
    switch (op) {
        case Op::add: return complex(real(*x) + real(*y), imag(*x) + imag(*y));
        case Op::sub: return complex(real(*x) - real(*y), imag(*x) - imag(*y));
        case Op::mul: {
            const Tensor a = real(*x), b = imag(*x), c = real(*y), d = imag(*y);
            return complex(a * c - b * d, a * d + b * c);
        }
        case Op::div: {
            const Tensor a = real(*x), b = imag(*x), c = real(*y), d = imag(*y);
            // Scaled by the larger part of the divisor, so that no square overflows or vanishes.
            const Tensor scale = maximum(abs(c), abs(d)), e = c / scale, f = d / scale, norm = square(e) + square(f);
            return complex((a * e + b * f) / norm / scale, (b * e - a * f) / norm / scale);
        }
        case Op::equal: return logicalAnd(equal(real(*x), real(*y)), equal(imag(*x), imag(*y)));
        case Op::notEqual: return logicalOr(notEqual(real(*x), real(*y)), notEqual(imag(*x), imag(*y)));
        case Op::where: return complex(where(*x, real(*y), real(*z)), where(*x, imag(*y), imag(*z)));
        case Op::neg: return complex(-real(*x), -imag(*x));
        case Op::square: return *x * *x;
        case Op::abs: {
            // Scaled by the larger part, so that no square overflows.
            const Tensor a = abs(real(*x)), b = abs(imag(*x)), large = maximum(a, b), small = minimum(a, b);
            return where(isInf(large), large, large * sqrt(1.0F + square(divNoNan(small, large))));
        }
        default: break;
    }
    for (const Tensor& input : inputs) {
        if (input.dtype() == DType::complex64) refuse(detail::row(op), input);
    }
    return *x;
}

/// Records a row of the table on operands that broadcast.
Tensor apply(Op op, std::initializer_list<Tensor> inputs, std::array<float, 2> params = {}) {
    const detail::Row& row = detail::row(op);
    if (anyIs(DType::string, inputs)) {
        if (inputs.size() != 2) refuse(row, *std::ranges::find(inputs, DType::string, &Tensor::dtype));
        const auto [a, b] = ranksOf(row, *inputs.begin(), *(inputs.begin() + 1));
        return apply(op, {a, b});
    }
    if (anyIs(DType::complex64, inputs)) return applyComplex(op, inputs);
    expectDTypes(row, inputs);
    Shape shape;
    // The condition of a select is a bool, and does not take part in the promotion.
    const std::size_t first = row.rule == Rule::select ? 1 : 0;
    DType promoted = inputs.begin()[first].dtype();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const Tensor& x = inputs.begin()[i];
        if (i >= first) promoted = promote(promoted, x.dtype());
        try {
            shape = broadcastShapes(shape, x.shape());
        } catch (const Error& error) {
            std::string all;
            for (const Tensor& each : inputs) all += (all.empty() ? "" : ", ") + toString(each.shape());
            ops::fail(row.name.data(), "{}: {}", all, detail::words(error));
        }
    }
    const DType computed = detail::computedIn(op, promoted);
    return ops::record(row.name.data(), detail::prim::Elementwise{op, computed, params}, shape, detail::resultOf(op, computed),
                       inputs);
}

}  // namespace

Tensor add(const Tensor& a, const Tensor& b) { return apply(Op::add, {a, b}); }
Tensor addN(const std::vector<Tensor>& tensors) {
    if (tensors.empty()) ops::fail("addN", "no tensors");
    for (const Tensor& x : tensors) {
        ops::expect("addN", "operand", x, tensors.front().dtype());
        if (x.shape() != tensors.front().shape()) {
            ops::fail("addN", "shapes {} and {} differ", toString(tensors.front().shape()), toString(x.shape()));
        }
    }
    std::vector<Tensor> terms = tensors;
    while (terms.size() > 1) {
        std::vector<Tensor> pairs;
        for (std::size_t i = 0; i + 1 < terms.size(); i += 2) pairs.push_back(apply(Op::add, {terms[i], terms[i + 1]}));
        if (terms.size() % 2 != 0) pairs.push_back(terms.back());
        terms = std::move(pairs);
    }
    return terms.front();
}
Tensor sub(const Tensor& a, const Tensor& b) { return apply(Op::sub, {a, b}); }
Tensor mul(const Tensor& a, const Tensor& b) { return apply(Op::mul, {a, b}); }
Tensor div(const Tensor& a, const Tensor& b) { return apply(Op::div, {a, b}); }
Tensor divNoNan(const Tensor& a, const Tensor& b) { return apply(Op::divNoNan, {a, b}); }
Tensor floorDiv(const Tensor& a, const Tensor& b) { return apply(Op::floorDiv, {a, b}); }
Tensor mod(const Tensor& a, const Tensor& b) { return apply(Op::mod, {a, b}); }
Tensor pow(const Tensor& a, const Tensor& b) { return apply(Op::pow, {a, b}); }
Tensor maximum(const Tensor& a, const Tensor& b) { return apply(Op::maximum, {a, b}); }
Tensor minimum(const Tensor& a, const Tensor& b) { return apply(Op::minimum, {a, b}); }
Tensor squaredDifference(const Tensor& a, const Tensor& b) { return apply(Op::squaredDifference, {a, b}); }
Tensor atan2(const Tensor& a, const Tensor& b) { return apply(Op::atan2, {a, b}); }
Tensor bitwiseAnd(const Tensor& a, const Tensor& b) { return apply(Op::bitwiseAnd, {a, b}); }
Tensor prelu(const Tensor& x, const Tensor& alpha) { return apply(Op::prelu, {x, alpha}); }

Tensor equal(const Tensor& a, const Tensor& b) { return apply(Op::equal, {a, b}); }
Tensor notEqual(const Tensor& a, const Tensor& b) { return apply(Op::notEqual, {a, b}); }
Tensor greater(const Tensor& a, const Tensor& b) { return apply(Op::greater, {a, b}); }
Tensor greaterEqual(const Tensor& a, const Tensor& b) { return apply(Op::greaterEqual, {a, b}); }
Tensor less(const Tensor& a, const Tensor& b) { return apply(Op::less, {a, b}); }
Tensor lessEqual(const Tensor& a, const Tensor& b) { return apply(Op::lessEqual, {a, b}); }

Tensor logicalAnd(const Tensor& a, const Tensor& b) { return apply(Op::logicalAnd, {a, b}); }
Tensor logicalOr(const Tensor& a, const Tensor& b) { return apply(Op::logicalOr, {a, b}); }
Tensor logicalXor(const Tensor& a, const Tensor& b) { return apply(Op::logicalXor, {a, b}); }
Tensor logicalNot(const Tensor& x) { return apply(Op::logicalNot, {x}); }
Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b) {
    ops::expect("where", "condition", condition, DType::boolean);
    return apply(Op::where, {condition, a, b});
}

Tensor neg(const Tensor& x) { return apply(Op::neg, {x}); }
Tensor abs(const Tensor& x) { return apply(Op::abs, {x}); }
Tensor sign(const Tensor& x) { return apply(Op::sign, {x}); }
Tensor floor(const Tensor& x) { return apply(Op::floor, {x}); }
Tensor ceil(const Tensor& x) { return apply(Op::ceil, {x}); }
Tensor round(const Tensor& x) { return apply(Op::round, {x}); }
Tensor square(const Tensor& x) { return apply(Op::square, {x}); }
Tensor reciprocal(const Tensor& x) { return apply(Op::reciprocal, {x}); }
Tensor clipByValue(const Tensor& x, float low, float high) {
    if (!(low <= high)) ops::fail("clipByValue", "low {} is above high {}, shape {}", low, high, toString(x.shape()));
    return apply(Op::clipByValue, {x}, {low, high});
}
Tensor step(const Tensor& x, float alpha) { return apply(Op::step, {x}, {alpha, 0}); }

Tensor exp(const Tensor& x) { return apply(Op::exp, {x}); }
Tensor expm1(const Tensor& x) { return apply(Op::expm1, {x}); }
Tensor log(const Tensor& x) { return apply(Op::log, {x}); }
Tensor log1p(const Tensor& x) { return apply(Op::log1p, {x}); }
Tensor sqrt(const Tensor& x) { return apply(Op::sqrt, {x}); }
Tensor rsqrt(const Tensor& x) { return apply(Op::rsqrt, {x}); }
Tensor erf(const Tensor& x) { return apply(Op::erf, {x}); }

Tensor sin(const Tensor& x) { return apply(Op::sin, {x}); }
Tensor cos(const Tensor& x) { return apply(Op::cos, {x}); }
Tensor tan(const Tensor& x) { return apply(Op::tan, {x}); }
Tensor asin(const Tensor& x) { return apply(Op::asin, {x}); }
Tensor acos(const Tensor& x) { return apply(Op::acos, {x}); }
Tensor atan(const Tensor& x) { return apply(Op::atan, {x}); }
Tensor sinh(const Tensor& x) { return apply(Op::sinh, {x}); }
Tensor cosh(const Tensor& x) { return apply(Op::cosh, {x}); }
Tensor tanh(const Tensor& x) { return apply(Op::tanh, {x}); }
Tensor asinh(const Tensor& x) { return apply(Op::asinh, {x}); }
Tensor acosh(const Tensor& x) { return apply(Op::acosh, {x}); }
Tensor atanh(const Tensor& x) { return apply(Op::atanh, {x}); }

Tensor relu(const Tensor& x) { return apply(Op::relu, {x}); }
Tensor relu6(const Tensor& x) { return apply(Op::relu6, {x}); }
Tensor leakyRelu(const Tensor& x, float alpha) { return apply(Op::leakyRelu, {x}, {alpha, 0}); }
Tensor elu(const Tensor& x) { return apply(Op::elu, {x}); }
Tensor selu(const Tensor& x) { return apply(Op::selu, {x}); }
Tensor sigmoid(const Tensor& x) { return apply(Op::sigmoid, {x}); }
Tensor logSigmoid(const Tensor& x) { return apply(Op::logSigmoid, {x}); }
Tensor softplus(const Tensor& x) { return apply(Op::softplus, {x}); }

Tensor isNaN(const Tensor& x) { return apply(Op::isNaN, {x}); }
Tensor isInf(const Tensor& x) { return apply(Op::isInf, {x}); }
Tensor isFinite(const Tensor& x) { return apply(Op::isFinite, {x}); }

Tensor cast(const Tensor& x, DType dtype) {
    if (x.dtype() == dtype) return x;
    if (x.dtype() == DType::complex64 && dtype != DType::string) return cast(real(x), dtype);
    if (dtype == DType::complex64 && x.dtype() != DType::string) return complex(cast(x, DType::float32), zeros(x.shape()));
    if (x.dtype() == DType::string || dtype == DType::string) {
        throw Error(errc::wrong_dtype, fmt::format("cast: {} {} to {}", name(x.dtype()), toString(x.shape()), name(dtype)));
    }
    return apply(dtype == DType::float32 ? Op::toFloat : dtype == DType::int32 ? Op::toInt : Op::toBool, {x});
}

}  // namespace stile
