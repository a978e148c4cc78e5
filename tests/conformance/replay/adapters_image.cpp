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

using stile::image::FillMode;
using stile::image::Interpolation;
using stile::image::ThresholdMethod;

Interpolation interpolation(const Argument& argument, Interpolation otherwise) {
    return argument.choice<Interpolation>({{"nearest", Interpolation::nearest}, {"bilinear", Interpolation::bilinear}},
                                          otherwise);
}

float real(const Argument& argument, double otherwise) { return static_cast<float>(argument.number(otherwise)); }

/// image, boxes, boxInd, cropSize, method, extrapolationValue.
Results cropAndResize(const Arguments& a) {
    const auto size = a[3].integers();
    if (size.size() != 2) a[3].mismatch("no pair");
    return stile::image::cropAndResize(
        a[0].tensor(), a[1].tensor(), a[2].tensor(stile::DType::int32), {size[0], size[1]},
        {.method = interpolation(a[4], Interpolation::bilinear), .extrapolationValue = real(a[5], 0)});
}

/// image, transforms, interpolation, fillMode, fillValue, outputShape.
Results transform(const Arguments& a) {
    const auto size = a[5].integers();
    if (!size.empty() && size.size() != 2) a[5].mismatch("no pair");
    return stile::image::transform(a[0].tensor(), a[1].tensor(),
                                   {.interpolation = interpolation(a[2], Interpolation::nearest),
                                    .fillMode = a[3].choice<FillMode>({{"constant", FillMode::constant},
                                                                       {"reflect", FillMode::reflect},
                                                                       {"wrap", FillMode::wrap},
                                                                       {"nearest", FillMode::nearest}},
                                                                      FillMode::constant),
                                    .fillValue = real(a[4], 0),
                                    .outputSize = size.empty() ? stile::Pair(0) : stile::Pair(size[0], size[1])});
}

/// image, radians, fillValue, center.
Results rotateWithOffset(const Arguments& a) {
    stile::image::RotateOptions options;
    if (a[2].given()) {
        options.fillValue.clear();
        for (const double value : a[2].numbers()) options.fillValue.push_back(static_cast<float>(value));
    }
    if (const auto center = a[3].numbers(); !center.empty()) options.center = {center.front(), center.back()};
    return stile::image::rotateWithOffset(a[0].tensor(), a[1].number(), options);
}

/// image, method, inverted, threshValue.
Results threshold(const Arguments& a) {
    return stile::image::threshold(
        a[0].tensor(), {.method = a[1].choice<ThresholdMethod>(
                            {{"binary", ThresholdMethod::binary}, {"otsu", ThresholdMethod::otsu}}, ThresholdMethod::binary),
                        .inverted = a[2].flag(false),
                        .value = real(a[3], 0.5)});
}

const std::array rows{
    Row{"browser.fromPixels", fromPixels},
    Row{"image.cropAndResize", cropAndResize},
    Row{"image.transform", transform},
    Row{"image.rotateWithOffset", rotateWithOffset},
    Row{"image.threshold", threshold},
    Row{"image.flipLeftRight", unary<stile::image::flipLeftRight>},
    Row{"image.grayscaleToRGB", unary<stile::image::grayscaleToRGB>},
    Row{"image.rgbToGrayscale", unary<stile::image::rgbToGrayscale>},
    Row{"image.resizeBilinear", resize<stile::image::resizeBilinear>},
    Row{"image.resizeNearestNeighbor", resize<stile::image::resizeNearestNeighbor>},
};

}  // namespace

std::span<const Row> imageRows() { return rows; }

}  // namespace replay
