#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <stile/stile.hpp>

#include "picture.hpp"
#include "router.hpp"

namespace server {
namespace {

constexpr std::int64_t bins = 16, cells = 8;

/// Constants that every request uses: they are uploaded once.
struct Constants {
    stile::Tensor weights = stile::tensor({0.2126F, 0.7152F, 0.0722F});
    stile::Tensor sobel = stile::tensor({{{-1, -1}, {0, -2}, {1, -1}}, {{-2, 0}, {0, 0}, {2, 0}}, {{-1, 1}, {0, 2}, {1, 1}}})
                              .reshape({3, 3, 1, 2});
    stile::Tensor bin = stile::range(0, bins);
};

/// What is computed of an image. Only recorded here: small results of a large tensor.
struct Results {
    stile::Tensor mean, edges, histogram, grid;
};

Results analyse(const stile::Tensor& photo, const Constants& constants) {
    const stile::Tensor grey = stile::sum(photo * constants.weights, {-1}, true);
    const stile::Tensor slopes = stile::conv2d(grey, constants.sobel, {.padding = stile::Padding::same()});
    const stile::Tensor bin = stile::clipByValue(stile::floor(grey.reshape({-1, 1}) * bins), 0, bins - 1);
    // Cells of equal size; the last of a row or column may reach over the edge, which does not count.
    const stile::Pair cell((photo.shape()[0] + cells - 1) / cells, (photo.shape()[1] + cells - 1) / cells);
    return {.mean = photo.mean({0, 1}),
            .edges = stile::sqrt(slopes.square().sum({-1})).mean(),
            .histogram = stile::sum(bin == constants.bin, {0}),
            .grid = stile::avgPool(photo, cell, {.strides = cell, .padding = stile::Padding::same()})};
}

/// "#rrggbb"
std::string colour(const float* rgb) {
    const auto byte = [](float value) { return std::lround(std::clamp(value, 0.0F, 1.0F) * 255); };
    return fmt::format("#{:02x}{:02x}{:02x}", byte(rgb[0]), byte(rgb[1]), byte(rgb[2]));
}

nlohmann::json colours(const std::vector<float>& values, const stile::Shape& shape) {
    auto rows = nlohmann::json::array();
    const float* rgb = values.data();
    for (std::int64_t y = 0; y < shape[0]; ++y) {
        auto row = nlohmann::json::array();
        for (std::int64_t x = 0; x < shape[1]; ++x, rgb += 3) row.push_back(colour(rgb));
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace

asio::awaitable<nlohmann::json> answerImage(Service& service, Request request) {
    static const Constants constants;
    const Slots::Slot slot = co_await service.slots.enter();
    const std::size_t maxPixels = service.options.maxPixels;
    const auto decode = [body = std::move(request.body), maxPixels] { return decodePicture(body, maxPixels); };
    Picture picture = co_await service.worker.run(decode);

    const stile::Shape shape(picture.height, picture.width, 3);
    const Results results = analyse(stile::tensor(std::move(picture.values), shape), constants);
    const auto values =
        co_await stile::data<float, float, std::int32_t, float>(results.mean, results.edges, results.histogram, results.grid);
    const auto& [mean, edges, histogram, grid] = values;
    co_return nlohmann::json{{"width", picture.width}, {"height", picture.height},
                             {"mean", mean},           {"edges", edges[0]},
                             {"histogram", histogram}, {"grid", colours(grid, results.grid.shape())}};
}

}  // namespace server
