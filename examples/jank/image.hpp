#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace jank {

/// A picture in memory: rows from the top, channels interleaved, 0 to 255.
struct Image {
    int width = 0, height = 0, channels = 3;
    std::vector<std::uint8_t> pixels;
};

/// Reads a JPEG, PNG, BMP or other file that stb_image knows, as RGB.
/// \throws std::runtime_error if the file is not there or is not such a picture.
[[nodiscard]] Image readImage(const std::filesystem::path& file);

/// Numbers from 0 to 1 as a grey picture.
[[nodiscard]] Image greyImage(int width, int height, std::span<const float> values);

/// \throws std::runtime_error if the file cannot be written.
void writePng(const std::filesystem::path& file, const Image& image);

}  // namespace jank
