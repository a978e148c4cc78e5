#include <array>

#include <stile/ops/normalize.hpp>

#include "table.hpp"

namespace replay {
namespace {

/// x, mean, variance, offset, scale, varianceEpsilon.
template <auto normalize>
Results batches(const Arguments& a) {
    return normalize(a[0].tensor(), a[1].tensor(), a[2].tensor(),
                     {.offset = a[3].optionalTensor(),
                      .scale = a[4].optionalTensor(),
                      .varianceEpsilon = static_cast<float>(a[5].number(0.001))});
}

/// x, depthRadius, bias, alpha, beta.
Results localResponse(const Arguments& a) {
    return stile::localResponseNormalization(a[0].tensor(), {.depthRadius = a[1].integer(5),
                                                             .bias = static_cast<float>(a[2].number(1)),
                                                             .alpha = static_cast<float>(a[3].number(1)),
                                                             .beta = static_cast<float>(a[4].number(0.5))});
}

/// x, axis, keepDims.
Results moments(const Arguments& a) {
    const auto m = stile::moments(a[0].tensor(), a[1].axes(), a[2].flag(false));
    return Results::Members{{"mean", m.mean}, {"variance", m.variance}};
}

const std::array rows{
    Row{"batchNorm", batches<stile::batchNorm>},
    Row{"batchNorm2d", batches<stile::batchNorm2d>},
    Row{"batchNorm3d", batches<stile::batchNorm3d>},
    Row{"batchNorm4d", batches<stile::batchNorm4d>},
    Row{"localResponseNormalization", localResponse},
    Row{"moments", moments},
    Row{"softmax", [](const Arguments& a) -> Results { return stile::softmax(a[0].tensor(), a[1].axis(-1)); }},
    Row{"logSoftmax", [](const Arguments& a) -> Results { return stile::logSoftmax(a[0].tensor(), a[1].axis(-1)); }},
};

}  // namespace

std::span<const Row> normalizeRows() { return rows; }

}  // namespace replay
