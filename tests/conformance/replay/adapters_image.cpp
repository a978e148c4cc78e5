#include <array>
#include <cstdint>
#include <vector>

#include <stile/ops/image.hpp>
#include <stile/pixels.hpp>

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

/// Pixels (an object of its own, or inside one), numChannels.
Results fromPixels(const Arguments& a) {
    const Argument pixels = a[0]["imagedata"].given() ? a[0]["imagedata"] : a[0];
    const std::vector<std::int64_t> numbers = pixels["data"].integers();
    const std::vector<std::uint8_t> bytes(numbers.begin(), numbers.end());
    return stile::browser::fromPixels({.data = bytes, .width = pixels["width"].integer(), .height = pixels["height"].integer()},
                                      a[1].axis(3));
}

const std::array rows{
    Row{"browser.fromPixels", fromPixels},
    Row{"image.resizeBilinear", resize<stile::image::resizeBilinear>},
    Row{"image.resizeNearestNeighbor", resize<stile::image::resizeNearestNeighbor>},
};

}  // namespace

std::span<const Row> imageRows() { return rows; }

}  // namespace replay
