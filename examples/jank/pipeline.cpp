#include "pipeline.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <utility>
#include <vector>

namespace jank {
namespace {

using stile::NdArray;
using stile::Tensor;

constexpr int taps = 31;
constexpr int bins = 64;

/// A Gaussian of unit sum that reaches three standard deviations.
std::vector<float> gaussian() {
    std::vector<float> weights(taps);
    constexpr float middle = (taps - 1) / 2.0F, sigma = middle / 3;
    float sum = 0;
    for (int i = 0; i < taps; ++i) {
        const float x = (static_cast<float>(i) - middle) / sigma;
        sum += weights[static_cast<std::size_t>(i)] = std::exp(-x * x / 2);
    }
    for (float& weight : weights) weight /= sum;
    return weights;
}

/// The pixels as float32 [height, width, 3] from 0 to 1.
Tensor photoTensor(const Image& photo) {
    std::vector<float> values(photo.pixels.size());
    std::ranges::transform(photo.pixels, values.begin(), [](std::uint8_t pixel) { return static_cast<float>(pixel) / 255; });
    return stile::tensor(std::move(values), {photo.height, photo.width, photo.channels});
}

template <class T>
bool sameBits(const NdArray<T>& a, const NdArray<T>& b) {
    return a.shape() == b.shape() && std::memcmp(a.flat().data(), b.flat().data(), a.flat().size_bytes()) == 0;
}

}  // namespace

Pipeline::Pipeline(const Image& photo, int height, int loadSize)
    : width_(std::max(1, static_cast<int>(std::lround(static_cast<double>(height) * photo.width / photo.height)))),
      height_(height),
      photo_(photoTensor(photo)),
      grey_(stile::tensor({0.2126F, 0.7152F, 0.0722F}).reshape({1, 1, 3, 1})),
      blurDown_(stile::tensor(gaussian(), {taps, 1, 1, 1})),
      blurAcross_(stile::tensor(gaussian(), {1, taps, 1, 1})),
      sobel_(stile::tensor({{{-1, -1}, {0, -2}, {1, -1}}, {{-2, 0}, {0, 0}, {2, 0}}, {{-1, 1}, {0, 2}, {1, 1}}})
                 .reshape({3, 3, 1, 2})),
      left_(stile::randomNormal({loadSize, loadSize}, 0, 1, 1)),
      right_(stile::randomNormal({loadSize, loadSize}, 0, 1, 2)) {}

Job Pipeline::job(int number) const {
    const float exposure = 1 + 0.5F * std::sin(static_cast<float>(number) * std::numbers::pi_v<float> / 4);
    const stile::ConvOptions same{.padding = stile::Padding::same()};

    const Tensor photo = stile::clipByValue(photo_ * exposure, 0, 1);
    const Tensor grey = stile::conv2d(stile::image::resizeBilinear(photo, {height_, width_}), grey_);
    const Tensor blur = stile::conv2d(stile::conv2d(grey, blurDown_, same), blurAcross_, same);
    const Tensor slopes = stile::conv2d(grey, sobel_, same);
    const Tensor edges = stile::sqrt(slopes.square().sum(-1)) / 2;

    // Each pixel is compared with every bin; the sum counts the hits. The comparison is fused into the sum: no pixels × bins
    // tensor is ever stored.
    const Tensor bin = stile::clipByValue(stile::floor(grey.reshape({-1, 1}) * bins), 0, bins - 1);
    const Tensor histogram = stile::sum(bin == stile::range(0, bins), 0);

    return {.grey = grey.squeeze(-1),
            .blur = blur.squeeze(-1),
            .edges = edges,
            .means = photo.mean({0, 1}),
            .histogram = histogram,
            .load = (left_ * exposure).matMul(right_).mean(0)};
}

Results downloadSync(const Job& job) {
    return {.grey = job.grey.arraySync(),
            .blur = job.blur.arraySync(),
            .edges = job.edges.arraySync(),
            .means = job.means.arraySync(),
            .histogram = job.histogram.arraySync<std::int32_t>(),
            .load = job.load.arraySync()};
}

asio::awaitable<Results> download(Job job) {
    Results results;
    results.grey = co_await job.grey.array();
    results.blur = co_await job.blur.array();
    results.edges = co_await job.edges.array();
    results.means = co_await job.means.array();
    results.histogram = co_await job.histogram.array<std::int32_t>();
    results.load = co_await job.load.array();
    co_return results;
}

bool bitEqual(const Results& a, const Results& b) {
    return sameBits(a.grey, b.grey) && sameBits(a.blur, b.blur) && sameBits(a.edges, b.edges) && sameBits(a.means, b.means) &&
           sameBits(a.histogram, b.histogram) && sameBits(a.load, b.load);
}

}  // namespace jank
