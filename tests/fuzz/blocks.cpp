#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <stile/create.hpp>
#include <stile/ops.hpp>

#include "graph.hpp"
#include "picture.hpp"

// Compositions: blocks, mirrors, products, norms, losses.
namespace fuzz {
namespace {

using stile::Tensor;
using Operands = std::vector<Operand>;

constexpr double ulp = 1.2e-7;

/// As far apart afterwards as before.
template <class Run>
Call moved(const Operands& x, std::string arguments, Run run) {
    double error = 0;
    for (const Operand& operand : x) error = std::max(error, operand.error);
    return {.arguments = std::move(arguments), .run = std::move(run), .error = error, .ulps = 0};
}

Draft mirrorPad(Draw& draw, const Operands& x) {
    if (x[0].value.rank() == 0) return {};
    const bool symmetric = draw.oneIn(2);
    std::vector<std::pair<std::int64_t, std::int64_t>> paddings;
    std::string written;
    for (const std::int64_t extent : x[0].value.shape) {
        const std::int64_t most = std::min<std::int64_t>(2, extent - (symmetric ? 0 : 1));
        if (most < 0) return {};
        paddings.emplace_back(draw.between(0, most), draw.between(0, most));
        written += fmt::format("{{{}, {}}} ", paddings.back().first, paddings.back().second);
    }
    const stile::MirrorMode mode = symmetric ? stile::MirrorMode::symmetric : stile::MirrorMode::reflect;
    return moved(x, written + (symmetric ? "symmetric" : "reflect"),
                 [paddings, mode](const Tensors& t) { return Tensors{stile::mirrorPad(t[0], paddings, mode)}; });
}
Draft toBatch(Draw& draw, const Operands& x) {
    if (x[0].value.rank() < 2) return {};
    const std::int64_t block = draw.between(1, 3), extent = x[0].value.shape[1];
    const std::int64_t before = draw.between(0, 2), behind = (block - (extent + before) % block) % block;
    return moved(x, fmt::format("{}, {} and {}", block, before, behind),
                 [=](const Tensors& t) { return Tensors{stile::spaceToBatchND(t[0], {block}, {{before, behind}})}; });
}
Draft fromBatch(Draw& draw, const Operands& x) {
    if (x[0].value.rank() < 2) return {};
    const std::int64_t block = draw.between(1, 4);
    if (x[0].value.shape[0] % block != 0 || x[0].value.shape[1] == 0) return {};
    const std::int64_t cut = draw.between(0, std::min<std::int64_t>(2, block * x[0].value.shape[1] - 1));
    return moved(x, fmt::format("{}, cut {}", block, cut),
                 [=](const Tensors& t) { return Tensors{stile::batchToSpaceND(t[0], {block}, {{cut, 0}})}; });
}
Draft depthToSpace(Draw& draw, const Operands& x) {
    const std::int64_t pixels = x[0].value.shape.size() / 4;
    if (pixels < 1 || !plain(x)) return {};
    const bool first = draw.oneIn(2);
    return moved(x, first ? "channels first" : "channels last", [=](const Tensors& t) {
        const Tensor image = first ? shaped(t[0], {1, 4, pixels, 1}) : shaped(t[0], {1, pixels, 1, 4});
        return Tensors{stile::depthToSpace(image, 2, first ? stile::DataFormat::nchw : stile::DataFormat::nhwc)};
    });
}
Draft diag(Draw&, const Operands& x) {
    if (x[0].value.rank() > 4 || x[0].value.shape.size() > 60) return {};
    return moved(x, {}, [](const Tensors& t) { return Tensors{stile::diag(t[0])}; });
}
Draft oneHot(Draw& draw, const Operands& x) {
    if (!x[0].value.isInt() || x[0].value.rank() > 7) return {};
    const std::int64_t depth = draw.between(1, 6);
    return moved(x, fmt::format("{}", depth), [depth](const Tensors& t) { return Tensors{stile::oneHot(t[0], depth)}; });
}
Draft meshgrid(Draw&, const Operands& x) {
    if (x[0].value.shape.size() * x[1].value.shape.size() > 4000) return {};
    return moved(x, {},
                 [](const Tensors& t) { return stile::meshgrid({stile::reshape(t[0], {-1}), stile::reshape(t[1], {-1})}); });
}
Draft outer(Draw&, const Operands& x) {
    if (!plain(x) || x[0].value.shape.size() * x[1].value.shape.size() > 4000) return {};
    const double error = x[0].value.most() * x[1].error + x[1].value.most() * x[0].error + x[0].error * x[1].error;
    return Call{.run =
                    [](const Tensors& t) {
                        return Tensors{stile::outerProduct(stile::reshape(t[0], {-1}), stile::reshape(t[1], {-1}))};
                    },
                .error = error};
}
/// Of the elements of both, as far as the shorter goes.
Draft dot(Draw&, const Operands& x) {
    if (!plain(x)) return {};
    const std::int64_t n = std::min(x[0].value.shape.size(), x[1].value.shape.size());
    const double product = x[0].value.most() * x[1].value.most(), count = static_cast<double>(n);
    const double apart = x[0].value.most() * x[1].error + x[1].value.most() * x[0].error + x[0].error * x[1].error;
    const bool stays = apart == 0 && x[0].value.onGrid() && x[1].value.onGrid() && count * product <= 256;
    return Call{.run = [n](const Tensors& t) { return Tensors{stile::dot(shaped(t[0], {n}), shaped(t[1], {n}))}; },
                .error = count * apart + (stays ? 0 : count * count * ulp * product)};
}
Draft logSumExp(Draw& draw, const Operands& x) {
    if (!plain(x) || x[0].value.rank() == 0) return {};
    const auto axis = static_cast<int>(draw.between(-x[0].value.rank(), x[0].value.rank() - 1));
    return Call{.arguments = fmt::format("{}", axis),
                .run = [axis](const Tensors& t) { return Tensors{stile::logSumExp(t[0], axis)}; },
                .error = x[0].error + 4 * ulp * x[0].value.most(),
                .ulps = 32};
}
Draft addN(Draw& draw, const Operands& x) {
    if (x[0].value.isComplex() || x[0].value.isBool()) return {};
    const std::size_t times = 1 + draw.below(5);
    const auto count = static_cast<double>(times);
    const bool stays = x[0].error == 0 && x[0].value.onGrid() && count * x[0].value.most() <= 65536;
    return Call{.arguments = fmt::format("{} times", times),
                .run = [times](const Tensors& t) { return Tensors{stile::addN(Tensors(times, t[0]))}; },
                .error = x[0].value.isFloat() ? count * x[0].error + (stays ? 0 : count * count * ulp * x[0].value.most()) : 0};
}
Draft squaredError(Draw&, const Operands& x) {
    if (!plain(x) || !(x[0].value.shape == x[1].value.shape)) return {};
    const double top = x[0].value.most() + x[1].value.most(), apart = x[0].error + x[1].error;
    const auto count = static_cast<double>(x[0].value.shape.size());
    return Call{.run = [](const Tensors& t) { return Tensors{stile::losses::meanSquaredError(t[0], t[1])}; },
                .error = (2 * top + apart) * (apart + ulp * top) + count * ulp * top * top};
}

constexpr std::array operations{
    Operation{"mirrorPad", 1, mirrorPad},
    Operation{"spaceToBatchND", 1, toBatch},
    Operation{"batchToSpaceND", 1, fromBatch},
    Operation{"depthToSpace", 1, depthToSpace},
    Operation{"diag", 1, diag},
    Operation{"oneHot", 1, oneHot},
    Operation{"meshgrid", 2, meshgrid},
    Operation{"outerProduct", 2, outer},
    Operation{"dot", 2, dot},
    Operation{"logSumExp", 1, logSumExp},
    Operation{"addN", 1, addN},
    Operation{"meanSquaredError", 2, squaredError},
};

}  // namespace

std::span<const Operation> blocks() { return operations; }

}  // namespace fuzz
