#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace server {

/// An image in memory: rows from the top, red, green and blue interleaved, 0 to 1.
struct Picture {
    std::int64_t width = 0, height = 0;
    std::vector<float> values;
};

/// Decodes a PNG or JPEG file. \throws HttpError 400 if it is none, 413 if it has more pixels than that.
[[nodiscard]] Picture decodePicture(const std::string& file, std::size_t maxPixels);

}  // namespace server
