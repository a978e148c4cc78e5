#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stile/create.hpp>
#include <stile/ops.hpp>

#include "graph.hpp"

// What compares, places or counts elements: scans, sorting, searching, scattering, bins.
namespace fuzz {
namespace {

using stile::Shape;
using stile::Tensor;
using Operands = std::vector<Operand>;
using Extents = std::vector<std::int64_t>;

constexpr double ulp = 1.2e-7;

int anyAxis(Draw& draw, int rank) { return static_cast<int>(draw.between(-rank, rank - 1)); }
/// The error of a sum of so many elements.
double summed(const Operand& x, double count) {
    if (!x.value.isFloat()) return 0;
    const bool stays = x.error == 0 && x.value.onGrid() && count * x.value.most() <= 65536;
    return count * x.error + (stays ? 0 : count * count * ulp * x.value.most());
}
bool real(const Operand& x) { return !x.value.isComplex() && x.value.rank() > 0 && x.value.shape.size() > 0; }
/// Indices that are drawn: some of them outside, if asked for.
Tensor indices(Draw& draw, const Shape& shape, std::int64_t below, bool outside = false) {
    std::vector<std::int32_t> list;
    for (std::int64_t i = 0; i < shape.size(); ++i) {
        list.push_back(static_cast<std::int32_t>(outside && draw.oneIn(6) ? -1 : draw.between(0, below - 1)));
    }
    return stile::tensor(list, shape);
}
Shape shapeOf(const Extents& extents) { return Shape(std::span<const std::int64_t>(extents)); }

template <bool product>
Draft scan(Draw& draw, const Operands& x) {
    if (!real(x[0])) return {};
    const int axis = anyAxis(draw, x[0].value.rank());
    const stile::ScanOptions options{.exclusive = draw.oneIn(2), .reverse = draw.oneIn(2)};
    const auto count = static_cast<double>(x[0].value.shape[axis]);
    double error = summed(x[0], count);
    if (product && x[0].value.isFloat()) {
        const double size = std::pow(std::max(1.0, x[0].value.most() + x[0].error), count);
        if (!x[0].value.finite() || size > 1e5) return {};
        error = size * count * (x[0].error + (size <= 256 && x[0].error == 0 ? 0 : ulp));
    }
    return Call{.arguments = fmt::format("{}, exclusive {}, reverse {}", axis, options.exclusive, options.reverse),
                .run =
                    [=](const Tensors& t) {
                        return Tensors{product ? stile::cumprod(t[0], axis, options) : stile::cumsum(t[0], axis, options)};
                    },
                .error = error};
}
Draft topk(Draw& draw, const Operands& x) {
    if (!real(x[0]) || x[0].error > 0) return {};
    const std::int64_t k = draw.between(0, x[0].value.shape[-1]);
    return Call{.arguments = fmt::format("{}", k),
                .run =
                    [k](const Tensors& t) {
                        const stile::TopK top = stile::topk(t[0], k);
                        return Tensors{top.values, top.indices};
                    },
                .continuous = false};
}
/// In the running sums of magnitudes, which ascend.
Draft search(Draw& draw, const Operands& x) {
    if (!real(x[0]) || !real(x[1]) || x[0].error > 0 || x[1].error > 0 || !x[0].value.finite()) return {};
    const auto count = static_cast<double>(x[0].value.shape.size());
    if (x[0].value.isBool() || x[1].value.isBool() || count * x[0].value.most() > 65536 || x[1].value.most() > 65536) return {};
    const stile::Side side = draw.oneIn(2) ? stile::Side::left : stile::Side::right;
    return Call{.arguments = side == stile::Side::left ? "left" : "right",
                .run =
                    [side](const Tensors& t) {
                        const Tensor sums = stile::cumsum(stile::abs(stile::reshape(t[0], {-1})));
                        return Tensors{stile::searchSorted(sums, stile::reshape(t[1], {-1}), side)};
                    },
                .continuous = false};
}
Draft scatter(Draw& draw, const Operands& x) {
    if (!real(x[0]) || x[0].value.isBool()) return {};
    Extents extents = x[0].value.shape;
    const std::int64_t rows = extents[0];
    extents[0] = draw.between(1, 6);
    const Tensor at = indices(draw, Shape(rows, 1), extents[0]);
    return Call{.arguments = fmt::format("to {} rows", extents[0]),
                .run = [at, extents](const Tensors& t) { return Tensors{stile::scatterND(at, t[0], shapeOf(extents))}; },
                .error = summed(x[0], static_cast<double>(rows))};
}
Draft segments(Draw& draw, const Operands& x) {
    if (!real(x[0]) || x[0].value.isBool()) return {};
    const std::int64_t rows = x[0].value.shape[0], count = draw.between(1, 5);
    const Tensor ids = indices(draw, Shape(rows), count);
    return Call{.arguments = fmt::format("{} segments", count),
                .run = [ids, count](const Tensors& t) { return Tensors{stile::unsortedSegmentSum(t[0], ids, count)}; },
                .error = summed(x[0], static_cast<double>(rows))};
}
/// Rows of the tensor on others of its rows, none twice.
Draft replace(Draw& draw, const Operands& x) {
    if (!real(x[0]) || x[0].value.isBool()) return {};
    std::vector<std::int32_t> rows(static_cast<std::size_t>(x[0].value.shape[0]));
    std::iota(rows.begin(), rows.end(), 0);
    for (std::size_t i = rows.size(); i > 1; --i) std::swap(rows[i - 1], rows[draw.below(i)]);
    rows.resize(1 + draw.below(rows.size()));
    const auto count = static_cast<std::int64_t>(rows.size());
    return Call{.arguments = fmt::format("rows {{{}}}", fmt::join(rows, ", ")),
                .run =
                    [rows, count](const Tensors& t) {
                        const Tensor at = stile::tensor(rows, Shape(count, 1));
                        Extents begin(static_cast<std::size_t>(t[0].rank()), 0), size(begin.size(), -1);
                        size[0] = count;
                        return Tensors{stile::tensorScatterUpdate(t[0], at, stile::slice(t[0], begin, size))};
                    },
                .error = x[0].error,
                .ulps = 0};
}
Draft gatherND(Draw& draw, const Operands& x) {
    if (!real(x[0])) return {};
    const std::int64_t depth = draw.between(1, std::min(x[0].value.rank(), 3)), picks = draw.between(1, 5);
    std::vector<Tensor> columns;
    for (int i = 0; i < depth; ++i) columns.push_back(indices(draw, Shape(picks), x[0].value.shape[i]));
    return Call{.arguments = fmt::format("{} of depth {}", picks, depth),
                .run = [columns](const Tensors& t) { return Tensors{stile::gatherND(t[0], stile::stack(columns, 1))}; },
                .error = x[0].error,
                .ulps = 0};
}
Draft bins(Draw& draw, const Operands& x) {
    if (!x[0].value.isInt() || !real(x[0])) return {};
    const std::int64_t size = draw.between(1, 9);
    const bool binary = draw.oneIn(3);
    return Call{.arguments = fmt::format("{}, binary {}", size, binary),
                .run =
                    [=](const Tensors& t) {
                        const Tensor numbers = stile::clipByValue(stile::reshape(t[0], {-1}), 0, 12);
                        return Tensors{stile::denseBincount(numbers, stile::zeros(Shape(0)), size, binary)};
                    },
                .continuous = false};
}
Draft stridedSlice(Draw& draw, const Operands& x) {
    if (x[0].value.rank() == 0) return {};
    Extents begin, end, strides;
    for (int i = 0; i < x[0].value.rank(); ++i) {
        const std::int64_t extent = x[0].value.shape[i];
        strides.push_back(draw.oneIn(3) ? -draw.between(1, 2) : draw.between(1, 3));
        begin.push_back(strides.back() > 0 ? draw.between(-extent, 0) : draw.between(extent / 2, extent));
        end.push_back(strides.back() > 0 ? draw.between(0, extent) : draw.between(-extent - 1, extent / 2));
    }
    const stile::StridedSliceOptions options{
        .beginMask = static_cast<std::uint32_t>(draw.below(4)),
        .endMask = static_cast<std::uint32_t>(draw.below(16)),
        .newAxisMask = x[0].value.rank() < 6 ? static_cast<std::uint32_t>(draw.below(2)) : 0};
    return Call{
        .arguments = fmt::format("{{{}}}, {{{}}}, {{{}}}, masks {}, {}, {}", fmt::join(begin, ", "), fmt::join(end, ", "),
                                 fmt::join(strides, ", "), options.beginMask, options.endMask, options.newAxisMask),
        .run = [=](const Tensors& t) { return Tensors{stile::stridedSlice(t[0], begin, end, strides, options)}; },
        .error = x[0].error,
        .ulps = 0};
}

constexpr std::array operations{
    Operation{"cumsum", 1, scan<false>},
    Operation{"cumprod", 1, scan<true>},
    Operation{"topk", 1, topk},
    Operation{"searchSorted", 2, search},
    Operation{"scatterND", 1, scatter},
    Operation{"unsortedSegmentSum", 1, segments},
    Operation{"tensorScatterUpdate", 1, replace},
    Operation{"gatherND", 1, gatherND},
    Operation{"denseBincount", 1, bins},
    Operation{"stridedSlice", 1, stridedSlice},
};

}  // namespace

std::span<const Operation> orders() { return operations; }

}  // namespace fuzz
