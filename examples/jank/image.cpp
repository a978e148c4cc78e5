#include "image.hpp"

#include <stb_image.h>
#include <stb_image_write.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

namespace jank {

Image readImage(const std::filesystem::path& file) {
    if (!std::filesystem::is_regular_file(file)) throw std::runtime_error("there is no file " + file.string());
    Image image;
    int found = 0;
    const std::unique_ptr<stbi_uc, decltype(&stbi_image_free)> pixels(
        stbi_load(file.c_str(), &image.width, &image.height, &found, image.channels), stbi_image_free);
    if (!pixels) throw std::runtime_error(file.string() + " is not a picture: " + stbi_failure_reason());
    const auto size = static_cast<std::ptrdiff_t>(image.width) * image.height * image.channels;
    image.pixels.assign(pixels.get(), pixels.get() + size);
    return image;
}

Image greyImage(int width, int height, std::span<const float> values) {
    Image image{width, height, 1, {}};
    image.pixels.reserve(values.size());
    for (const float value : values) {
        image.pixels.push_back(static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0F, 1.0F) * 255)));
    }
    return image;
}

void writePng(const std::filesystem::path& file, const Image& image) {
    if (!stbi_write_png(file.c_str(), image.width, image.height, image.channels, image.pixels.data(),
                        image.width * image.channels)) {
        throw std::runtime_error("cannot write " + file.string());
    }
}

}  // namespace jank
