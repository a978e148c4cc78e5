#pragma once

#include <asio/awaitable.hpp>

#include <cstdint>

#include <stile/stile.hpp>

#include "image.hpp"

namespace jank {

/// The tensors of one job: recorded, not yet computed.
struct Job {
    stile::Tensor grey, blur, edges;  ///< [height, width], 0 to 1
    stile::Tensor means;              ///< [3]: red, green, blue
    stile::Tensor histogram;          ///< [64], int32
    stile::Tensor load;               ///< [n]: the column means of a large matrix product
};

/// What is downloaded of one job: one array for each tensor.
struct Results {
    stile::NdArray<float> grey, blur, edges, means;
    stile::NdArray<std::int32_t> histogram;
    stile::NdArray<float> load;

    static constexpr int downloads = 6;
};

/// Whether every bit is the same.
[[nodiscard]] bool bitEqual(const Results& a, const Results& b);

/// Makes jobs from a photo.
class Pipeline {
  public:
    /// The pictures are computed at `height` rows; the load is a product of two `loadSize` × `loadSize` matrices.
    Pipeline(const Image& photo, int height, int loadSize);

    /// Records one job, which takes microseconds. Its number sets the exposure, so that neighbours differ.
    [[nodiscard]] Job job(int number) const;

    [[nodiscard]] int width() const noexcept { return width_; }
    [[nodiscard]] int height() const noexcept { return height_; }

  private:
    int width_, height_;
    stile::Tensor photo_;  // [height, width, 3]
    stile::Tensor grey_;   // 1 × 1 filter
    stile::Tensor blurDown_, blurAcross_;
    stile::Tensor sobel_;         // 3 × 3 filter with two outputs
    stile::Tensor left_, right_;  // of the product
};

/// Downloads with the blocking twins: the thread waits six times.
[[nodiscard]] Results downloadSync(const Job& job);

/// Downloads with co_await: the coroutine waits six times, the thread never.
[[nodiscard]] asio::awaitable<Results> download(Job job);

}  // namespace jank
