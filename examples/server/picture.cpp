#include "picture.hpp"

#include <fmt/format.h>
#include <stb_image.h>

#include <algorithm>
#include <memory>

#include "http.hpp"

namespace server {

Picture decodePicture(const std::string& file, std::size_t maxPixels) {
    const auto* const bytes = reinterpret_cast<const stbi_uc*>(file.data());
    const int size = static_cast<int>(file.size());  // options.cpp keeps --max-body below 2³¹
    int width = 0, height = 0, found = 0;
    // The size is asked first: a small file can unfold to gigabytes.
    if (!stbi_info_from_memory(bytes, size, &width, &height, &found)) {
        throw HttpError(400, fmt::format("not an image: {}", stbi_failure_reason()));
    }
    if (static_cast<std::size_t>(width) * static_cast<std::size_t>(height) > maxPixels) {
        throw HttpError(413, fmt::format("{} x {} are more than {} pixels", width, height, maxPixels));
    }
    constexpr int channels = 3;
    const std::unique_ptr<stbi_uc, decltype(&stbi_image_free)> pixels(
        stbi_load_from_memory(bytes, size, &width, &height, &found, channels), stbi_image_free);
    if (!pixels) throw HttpError(400, fmt::format("not an image: {}", stbi_failure_reason()));
    Picture picture{width, height, std::vector<float>(static_cast<std::size_t>(width * height * channels))};
    std::transform(pixels.get(), pixels.get() + picture.values.size(), picture.values.begin(),
                   [](stbi_uc pixel) { return static_cast<float>(pixel) / 255; });
    return picture;
}

}  // namespace server
