#pragma once

#include <stile/tensor.hpp>

namespace dashboard {

/// The reaction of Gray and Scott as simulated by Pearson ("Complex patterns in a simple system", Science 261, 1993): a substance
/// u is fed everywhere, v eats it (u + 2v → 3v) and decays; both diffuse. Tensors of shape [size, size], all on the device.
class Simulation {
  public:
    /// u is 1 and v is 0, but for a few squares.
    explicit Simulation(int size);

    /// Records steps; computes nothing by itself.
    void advance(int steps);

    [[nodiscard]] stile::Tensor u() const;
    [[nodiscard]] stile::Tensor v() const;
    /// How fast u becomes v.
    [[nodiscard]] stile::Tensor reaction() const;
    /// The change of v in the last step.
    [[nodiscard]] stile::Tensor growth() const;
    /// The steepness of v.
    [[nodiscard]] stile::Tensor slope() const;

  private:
    [[nodiscard]] stile::Tensor flat(const stile::Tensor& field) const;

    int size_;
    stile::Tensor laplace_, sobel_;
    /// 1 - u rather than u: what lies outside counts as 0, and there nothing is used up. Shape [size, size, 1], as conv2d has it.
    stile::Tensor used_, v_, before_;
};

}  // namespace dashboard
