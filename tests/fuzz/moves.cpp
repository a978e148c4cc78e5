#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stile/ops.hpp>

#include "graph.hpp"

// What only moves elements: as far apart afterwards as before, and exact if it was.
namespace fuzz {
namespace {

using stile::Shape;
using stile::Tensor;
using Operands = std::vector<Operand>;
using Extents = std::vector<std::int64_t>;

template <class Run>
Call moved(const Operands& x, std::string arguments, Run run) {
    double error = 0;
    for (const Operand& operand : x) error = std::max(error, operand.error);
    return {.arguments = std::move(arguments), .run = std::move(run), .error = error, .ulps = 0};
}

std::string text(const std::vector<int>& list) { return fmt::format("{{{}}}", fmt::join(list, ", ")); }
std::string text(const Extents& list) { return fmt::format("{{{}}}", fmt::join(list, ", ")); }

std::vector<int> someAxes(Draw& draw, int rank) {
    std::vector<int> axes;
    for (int i = 0; i < rank; ++i) {
        if (draw.oneIn(2)) axes.push_back(draw.oneIn(3) ? i - rank : i);
    }
    return axes;
}
int anyAxis(Draw& draw, int rank) { return static_cast<int>(draw.between(-rank, rank - 1)); }

Draft reshape(Draw& draw, const Operands& x) {
    std::int64_t rest = x[0].value.shape.size();
    if (rest == 0) return {};
    Extents extents;
    while (rest > 1 && extents.size() < 6) {
        std::int64_t factor = draw.between(1, rest);
        while (rest % factor != 0) --factor;
        extents.push_back(factor);
        rest /= factor;
    }
    if (rest > 1) extents.push_back(rest);
    if (!extents.empty() && draw.oneIn(3)) extents[draw.below(extents.size())] = -1;
    return moved(x, text(extents), [extents](const Tensors& t) { return Tensors{stile::reshape(t[0], extents)}; });
}
Draft expandDims(Draw& draw, const Operands& x) {
    const int rank = x[0].value.rank();
    if (rank > 7) return {};
    const auto axis = static_cast<int>(draw.between(-rank - 1, rank));
    return moved(x, fmt::format("{}", axis), [axis](const Tensors& t) { return Tensors{stile::expandDims(t[0], axis)}; });
}
Draft squeeze(Draw&, const Operands& x) {
    return moved(x, {}, [](const Tensors& t) { return Tensors{stile::squeeze(t[0])}; });
}
Draft transpose(Draw& draw, const Operands& x) {
    std::vector<int> order(static_cast<std::size_t>(x[0].value.rank()));
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[draw.below(i)]);
    return moved(x, text(order), [order](const Tensors& t) { return Tensors{stile::transpose(t[0], order)}; });
}
Draft reverse(Draw& draw, const Operands& x) {
    const std::vector<int> axes = someAxes(draw, x[0].value.rank());
    return moved(x, text(axes), [axes](const Tensors& t) { return Tensors{stile::reverse(t[0], stile::Axes(axes))}; });
}
Draft slice(Draw& draw, const Operands& x) {
    Extents begin, size;
    for (const std::int64_t extent : x[0].value.shape) {
        begin.push_back(draw.between(0, extent));
        size.push_back(draw.oneIn(4) ? -1 : draw.between(0, extent - begin.back()));
        // Seldom empty, or nothing is left to go on with.
        if (size.back() == 0 && extent > 0 && !draw.oneIn(30)) begin.back() = 0, size.back() = extent;
    }
    if (begin.empty()) return {};
    return moved(x, text(begin) + ", " + text(size),
                 [begin, size](const Tensors& t) { return Tensors{stile::slice(t[0], begin, size)}; });
}
Draft tile(Draw& draw, const Operands& x) {
    Extents repeats;
    for (int i = 0; i < x[0].value.rank(); ++i) repeats.push_back(draw.between(draw.oneIn(40) ? 0 : 1, 3));
    return moved(x, text(repeats), [repeats](const Tensors& t) { return Tensors{stile::tile(t[0], repeats)}; });
}
Draft broadcastTo(Draw& draw, const Operands& x) {
    Extents extents = x[0].value.shape;
    for (auto& extent : extents) extent = extent == 1 ? draw.between(1, 4) : extent;
    while (extents.size() < 8 && draw.oneIn(3)) extents.insert(extents.begin(), draw.between(1, 3));
    return moved(x, text(extents), [extents](const Tensors& t) {
        return Tensors{stile::broadcastTo(t[0], Shape(std::span<const std::int64_t>(extents)))};
    });
}
Draft pad(Draw& draw, const Operands& x) {
    std::vector<std::pair<std::int64_t, std::int64_t>> paddings;
    std::string written;
    for (int i = 0; i < x[0].value.rank(); ++i) {
        paddings.emplace_back(draw.between(0, 2), draw.between(0, 2));
        written += fmt::format("{{{}, {}}} ", paddings.back().first, paddings.back().second);
    }
    const auto value = static_cast<double>(draw.between(-2, 2));
    return moved(x, fmt::format("{}, {}", written, value),
                 [paddings, value](const Tensors& t) { return Tensors{stile::pad(t[0], paddings, value)}; });
}
/// The second operand is cut or stretched to fit beside the first.
Draft concat(Draw& draw, const Operands& x) {
    const int rank = x[0].value.rank();
    if (rank == 0 || x[0].value.dtype != x[1].value.dtype || x[1].value.rank() != rank) return {};
    const int axis = anyAxis(draw, rank);
    for (int i = 0; i < rank; ++i) {
        if (i != (axis + rank) % rank && x[0].value.shape[i] != x[1].value.shape[i]) return {};
    }
    const std::size_t times = 1 + draw.below(4);
    return moved(x, fmt::format("{} times, {}", times, axis), [axis, times](const Tensors& t) {
        Tensors parts;
        for (std::size_t i = 0; i < times; ++i) parts.insert(parts.end(), t.begin(), t.end());
        return Tensors{stile::concat(parts, axis)};
    });
}
Draft stack(Draw& draw, const Operands& x) {
    const int rank = x[0].value.rank();
    if (rank > 7 || x[0].value.dtype != x[1].value.dtype || !(x[0].value.shape == x[1].value.shape)) return {};
    const auto axis = static_cast<int>(draw.between(-rank - 1, rank));
    return moved(x, fmt::format("{}", axis), [axis](const Tensors& t) { return Tensors{stile::stack(t, axis)}; });
}
Draft unstack(Draw& draw, const Operands& x) {
    const int rank = x[0].value.rank();
    if (rank == 0) return {};
    const int axis = anyAxis(draw, rank);
    const std::int64_t parts = x[0].value.shape[axis];
    if (parts < 1 || parts > 6) return {};
    return moved(x, fmt::format("{}", axis), [axis](const Tensors& t) { return stile::unstack(t[0], axis); });
}
Draft split(Draw& draw, const Operands& x) {
    const int rank = x[0].value.rank();
    if (rank == 0) return {};
    const int axis = anyAxis(draw, rank);
    Extents sizes;
    for (std::int64_t rest = x[0].value.shape[axis]; rest > 0 && sizes.size() < 4; rest -= sizes.back()) {
        sizes.push_back(sizes.size() == 3 ? rest : draw.between(1, rest));
    }
    if (sizes.empty()) return {};
    if (draw.oneIn(2)) sizes[draw.below(sizes.size())] = -1;
    return moved(x, text(sizes) + fmt::format(", {}", axis),
                 [sizes, axis](const Tensors& t) { return stile::split(t[0], sizes, axis); });
}
/// By indices that are drawn, some of them outside.
Draft gather(Draw& draw, const Operands& x) {
    const int rank = x[0].value.rank();
    if (rank == 0) return {};
    const int axis = anyAxis(draw, rank);
    Value at{.shape = draw.oneIn(2) ? Shape(draw.between(0, 6)) : Shape(2, draw.between(1, 3)), .dtype = stile::DType::int32};
    for (std::int64_t i = 0; i < at.shape.size(); ++i) {
        at.data.push_back(
            static_cast<double>(draw.between(draw.oneIn(8) ? -1 : 0, x[0].value.shape[axis] - (draw.oneIn(8) ? 0 : 1))));
    }
    if (rank + at.rank() - 1 > Shape::maxRank) return {};
    return moved(x, fmt::format("{{{}}}, {}", fmt::join(at.data, ", "), axis),
                 [at, axis](const Tensors& t) { return Tensors{stile::gather(t[0], tensorOf(at), axis)}; });
}

constexpr std::array operations{
    Operation{"reshape", 1, reshape},
    Operation{"expandDims", 1, expandDims},
    Operation{"squeeze", 1, squeeze},
    Operation{"transpose", 1, transpose},
    Operation{"transpose", 1, transpose},
    Operation{"reverse", 1, reverse},
    Operation{"slice", 1, slice},
    Operation{"slice", 1, slice},
    Operation{"tile", 1, tile},
    Operation{"broadcastTo", 1, broadcastTo},
    Operation{"pad", 1, pad},
    Operation{"concat", 2, concat},
    Operation{"concat", 2, concat},
    Operation{"stack", 2, stack},
    Operation{"unstack", 1, unstack},
    Operation{"split", 1, split},
    Operation{"gather", 1, gather},
};

}  // namespace

std::span<const Operation> moves() { return operations; }

}  // namespace fuzz
