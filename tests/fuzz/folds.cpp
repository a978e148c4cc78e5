#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stile/ops.hpp>

#include "graph.hpp"

// What makes one number of many: reductions, scans, products of matrices.
namespace fuzz {
namespace {

using stile::Tensor;
using Operands = std::vector<Operand>;
using Reduction = Tensor (*)(const Tensor&, const stile::Axes&, bool);

constexpr double ulp = 1.2e-7;

/// Axes to reduce, as they are written, and how many elements become one.
struct Reduced {
    std::vector<int> axes{};
    bool keepDims = false;
    double count = 1;

    Reduced(Draw& draw, const Value& x) : keepDims(draw.oneIn(2)) {
        for (int i = 0; i < x.rank(); ++i) {
            if (draw.oneIn(2)) axes.push_back(draw.oneIn(3) ? i - x.rank() : i);
        }
        for (int i = 0; i < x.rank(); ++i) {
            const bool named =
                axes.empty() || std::ranges::any_of(axes, [&](int axis) { return (axis + x.rank()) % x.rank() == i; });
            if (named) count *= static_cast<double>(x.shape[i]);
        }
    }
    [[nodiscard]] std::string text() const {
        return fmt::format("{{{}}}{}", fmt::join(axes, ", "), keepDims ? ", keepDims" : "");
    }
};

template <Reduction op>
Call reduction(const Reduced& how, double error, bool continuous = true) {
    return {.arguments = how.text(),
            .run = [how](const Tensors& t) { return Tensors{op(t[0], stile::Axes(how.axes), how.keepDims)}; },
            .error = error,
            .continuous = continuous};
}

/// Sums of what is on the grid are exact as long as they stay there; others are rounded at each of the steps.
double roundingOf(const Operand& x, double count) {
    const bool stays = x.error == 0 && x.value.onGrid() && count * x.value.most() <= 65536;
    return stays ? 0 : count * count * ulp * x.value.most();
}

Draft sum(Draw& draw, const Operands& x) {
    if (x[0].value.isComplex()) return {};
    const Reduced how(draw, x[0].value);
    const bool real = x[0].value.isFloat();
    return reduction<stile::sum>(how, real ? how.count * x[0].error + roundingOf(x[0], how.count) : 0);
}
Draft mean(Draw& draw, const Operands& x) {
    if (x[0].value.isComplex() || x[0].value.most() > 65536) return {};
    const Reduced how(draw, x[0].value);
    if (how.count == 0) return {};
    return reduction<stile::mean>(how, x[0].error + roundingOf(x[0], how.count) / how.count);
}
Draft prod(Draw& draw, const Operands& x) {
    if (x[0].value.isComplex()) return {};
    const Reduced how(draw, x[0].value);
    if (!x[0].value.isFloat()) return reduction<stile::prod>(how, 0);
    const double top = std::max(1.0, x[0].value.most() + x[0].error);
    const double size = std::pow(top, how.count);
    if (!x[0].value.finite() || size > 1e6) return {};
    return reduction<stile::prod>(how, size * how.count * (x[0].error + (size <= 256 && x[0].error == 0 ? 0 : ulp)));
}
template <Reduction op>
Draft extreme(Draw& draw, const Operands& x) {
    if (x[0].value.isComplex()) return {};
    return reduction<op>(Reduced(draw, x[0].value), x[0].error);
}
template <Reduction op>
Draft truth(Draw& draw, const Operands& x) {
    if (!x[0].value.isBool()) return {};
    return reduction<op>(Reduced(draw, x[0].value), 0, false);
}
template <Tensor (*op)(const Tensor&, int)>
Draft argument(Draw& draw, const Operands& x) {
    if (x[0].value.rank() == 0 || x[0].value.isComplex() || x[0].error > 0) return {};
    const auto axis = static_cast<int>(draw.between(-x[0].value.rank(), x[0].value.rank() - 1));
    if (x[0].value.shape[axis] == 0) return {};
    return Call{.arguments = fmt::format("{}", axis),
                .run = [axis](const Tensors& t) { return Tensors{op(t[0], axis)}; },
                .continuous = false};
}
Draft softmax(Draw& draw, const Operands& x) {
    if (x[0].value.rank() == 0 || !x[0].value.isFloat() || !x[0].value.finite()) return {};
    const auto axis = static_cast<int>(draw.between(-x[0].value.rank(), x[0].value.rank() - 1));
    return Call{.arguments = fmt::format("{}", axis),
                .run = [axis](const Tensors& t) { return Tensors{stile::softmax(t[0], axis)}; },
                // exp is off by the rounding of its argument.
                .error = 2 * x[0].error + 2 * ulp * x[0].value.most(),
                .ulps = 32};
}
/// With one operand transposed to fit, if it does.
Draft matMul(Draw& draw, const Operands& x) {
    const Value &a = x[0].value, &b = x[1].value;
    if (a.rank() < 2 || b.rank() < 2 || !a.finite() || !b.finite() || a.isComplex() || b.isComplex()) return {};
    if (a.isBool() || b.isBool()) return {};
    if ((a.isFloat() || b.isFloat()) && std::max(a.most(), b.most()) > 65536) return {};
    const bool ta = draw.oneIn(3), tb = draw.oneIn(3);
    const std::int64_t k = a.shape[ta ? -2 : -1];
    if (k != b.shape[tb ? -1 : -2]) return {};
    for (int i = 3; i <= std::min(a.rank(), b.rank()); ++i) {
        if (a.shape[-i] != b.shape[-i] && a.shape[-i] != 1 && b.shape[-i] != 1) return {};
    }
    const auto count = static_cast<double>(k);
    const double product = a.most() * b.most();
    const double apart = a.most() * x[1].error + b.most() * x[0].error + x[0].error * x[1].error;
    const bool stays = apart == 0 && a.onGrid() && b.onGrid() && count * product <= 256;
    return Call{.arguments = fmt::format("{}, {}", ta, tb),
                .run = [ta, tb](const Tensors& t) { return Tensors{stile::matMul(t[0], t[1], ta, tb)}; },
                .error = count * apart + (stays ? 0 : count * count * ulp * product)};
}

using Transform = Tensor (*)(const Tensor&);
template <Transform op>
Draft transform(Draw&, const Operands& x) {
    if (x[0].value.rank() == 0 || !x[0].value.isComplex() || !x[0].value.finite() || x[0].value.most() > 100) return {};
    const auto count = static_cast<double>(x[0].value.shape[-1]);
    if (count == 0) return {};
    return Call{.run = [](const Tensors& t) { return Tensors{op(t[0])}; },
                .error = 2 * count * (x[0].error + 16 * ulp * x[0].value.most())};
}

constexpr std::array operations{
    Operation{"sum", 1, sum},
    Operation{"sum", 1, sum},
    Operation{"mean", 1, mean},
    Operation{"prod", 1, prod},
    Operation{"max", 1, extreme<stile::max>},
    Operation{"min", 1, extreme<stile::min>},
    Operation{"all", 1, truth<stile::all>},
    Operation{"any", 1, truth<stile::any>},
    Operation{"argMax", 1, argument<stile::argMax>},
    Operation{"argMin", 1, argument<stile::argMin>},
    Operation{"softmax", 1, softmax},
    Operation{"matMul", 2, matMul},
    Operation{"fft", 1, transform<stile::fft>},
    Operation{"ifft", 1, transform<stile::ifft>},
    Operation{"irfft", 1, transform<stile::irfft>},
    Operation{"matMul", 2, matMul},
};

}  // namespace

std::span<const Operation> folds() { return operations; }

}  // namespace fuzz
