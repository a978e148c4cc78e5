#include <array>

#include <stile/ops/image.hpp>

#include "table.hpp"

namespace replay {
namespace {

/// images, size, alignCorners, halfPixelCenters.
template <auto function>
Results resize(const Arguments& a) {
    const auto size = a[1].integers();
    if (size.size() != 2) a[1].mismatch("no pair");
    return function(a[0].tensor(), stile::Pair(size[0], size[1]),
                    {.alignCorners = a[2].flag(false), .halfPixelCenters = a[3].flag(false)});
}

const std::array rows{
    Row{"image.resizeBilinear", resize<stile::image::resizeBilinear>},
    Row{"image.resizeNearestNeighbor", resize<stile::image::resizeNearestNeighbor>},
};

}  // namespace

std::span<const Row> imageRows() { return rows; }

}  // namespace replay
