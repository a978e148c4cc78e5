#include "simulation.hpp"

#include <cstddef>
#include <utility>
#include <vector>

#include <stile/stile.hpp>

namespace dashboard {
namespace {

using stile::Tensor;

constexpr float diffusionU = 1, diffusionV = 0.5F, feed = 0.055F, kill = 0.062F;

/// Squares of a tenth of the size, of this value.
Tensor squares(int size, float value) {
    std::vector<float> values(static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
    const int width = size / 10 + 1;
    for (const auto& [row, column] : {std::pair(0.3, 0.3), std::pair(0.6, 0.45), std::pair(0.4, 0.7)}) {
        const int top = static_cast<int>(row * size), left = static_cast<int>(column * size);
        for (int y = top; y < top + width; ++y) {
            for (int x = left; x < left + width; ++x) values[static_cast<std::size_t>(y * size + x)] = value;
        }
    }
    return stile::tensor(std::move(values), {size, size, 1});
}

Tensor filtered(const Tensor& field, const Tensor& filter) {
    return stile::conv2d(field, filter, {.padding = stile::Padding::same()});
}

}  // namespace

Simulation::Simulation(int size)
    : size_(size),
      laplace_(stile::tensor({{0.05, 0.2, 0.05}, {0.2, -1, 0.2}, {0.05, 0.2, 0.05}}).reshape({3, 3, 1, 1})),
      sobel_(stile::tensor({{{-1, -1}, {0, -2}, {1, -1}}, {{-2, 0}, {0, 0}, {2, 0}}, {{-1, 1}, {0, 2}, {1, 1}}})
                 .reshape({3, 3, 1, 2})),
      used_(squares(size, 0.5F)),
      v_(squares(size, 0.25F)),
      before_(v_) {}

void Simulation::advance(int steps) {
    for (int i = 0; i < steps; ++i) {
        const Tensor rate = (1 - used_) * v_ * v_;
        before_ = v_;
        used_ = used_ + diffusionU * filtered(used_, laplace_) + rate - feed * used_;
        v_ = v_ + diffusionV * filtered(v_, laplace_) + rate - (feed + kill) * v_;
    }
}

Tensor Simulation::flat(const Tensor& field) const { return field.reshape({size_, size_}); }
Tensor Simulation::u() const { return flat(1 - used_); }
Tensor Simulation::v() const { return flat(v_); }
Tensor Simulation::reaction() const { return flat((1 - used_) * v_ * v_); }
Tensor Simulation::growth() const { return flat(v_ - before_); }
Tensor Simulation::slope() const { return filtered(v_, sobel_).square().sum({-1}).sqrt(); }

}  // namespace dashboard
