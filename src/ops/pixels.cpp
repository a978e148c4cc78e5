#include "stile/pixels.hpp"

#include <cmath>
#include <cstddef>

#include "ops/check.hpp"
#include "stile/create.hpp"

namespace stile {

namespace browser {

Tensor fromPixels(const PixelData& pixels, int numChannels) {
    if (numChannels < 1 || numChannels > 4) ops::fail("fromPixels", "{} channels of 4", numChannels);
    const Shape shape = ops::shapeOf("fromPixels", {pixels.height, pixels.width, numChannels});
    const Shape whole = ops::shapeOf("fromPixels", {pixels.height, pixels.width, 4});
    if (std::cmp_not_equal(pixels.data.size(), whole.size())) {
        ops::fail("fromPixels", "{} bytes for {} rows of {} pixels", pixels.data.size(), pixels.height, pixels.width);
    }
    std::vector<std::int32_t> values;
    values.reserve(static_cast<std::size_t>(shape.size()));
    for (std::size_t pixel = 0; pixel < pixels.data.size(); pixel += 4) {
        const auto channels = pixels.data.subspan(pixel, static_cast<std::size_t>(numChannels));
        values.insert(values.end(), channels.begin(), channels.end());
    }
    return tensor(std::move(values), shape);
}

}  // namespace browser

namespace {

std::uint8_t byteOf(float value) {
    if (!(value >= 0 && value <= 1)) ops::fail("toPixels", "{} is outside 0 to 1", value);
    return static_cast<std::uint8_t>(std::floor(static_cast<double>(value) * 255 + 0.5));
}
std::uint8_t byteOf(std::int32_t value) {
    if (value < 0 || value > 255) ops::fail("toPixels", "{} is outside 0 to 255", value);
    return static_cast<std::uint8_t>(value);
}

template <class T>
std::vector<std::uint8_t> toBytes(std::span<const T> values, std::size_t channels) {
    std::vector<std::uint8_t> out;
    out.reserve(values.size() / channels * 4);
    for (std::size_t pixel = 0; pixel < values.size(); pixel += channels) {
        for (std::size_t i = 0; i < 3; ++i) out.push_back(byteOf(values[pixel + (channels == 1 ? 0 : i)]));
        out.push_back(channels == 4 ? byteOf(values[pixel + 3]) : 255);
    }
    return out;
}

}  // namespace

detail::Computation<std::vector<std::uint8_t>> detail::pixelsOf(const Tensor& image) {
    const int rank = image.rank();
    const std::int64_t channels = rank == 3 ? image.shape()[2] : 1;
    if ((rank != 2 && rank != 3) || (channels != 1 && channels != 3 && channels != 4)) {
        ops::fail("toPixels", "shape {} is not [height, width] or [height, width, 1, 3 or 4]", toString(image.shape()));
    }
    const DType dtype = image.dtype();
    if (dtype != DType::float32 && dtype != DType::int32) {
        throw Error(errc::wrong_dtype, fmt::format("toPixels: {}, shape {}", name(dtype), toString(image.shape())));
    }
    const auto count = static_cast<std::size_t>(channels);
    return {.name = "toPixels", .inputs = {image}, .compute = [=](std::span<const RawValues> raw) {
                return dtype == DType::float32 ? toBytes(elementsOf<float>(raw[0]), count)
                                               : toBytes(elementsOf<std::int32_t>(raw[0]), count);
            }};
}

}  // namespace stile
