#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "history.hpp"
#include "picture.hpp"
#include "simulation.hpp"

namespace dashboard {

/// What was downloaded of a frame.
using Values = std::vector<std::vector<float>>;

/// Rows and columns of an image on the screen.
inline constexpr std::size_t imageSize = 32;

/// The tensors of a frame: the images, then the numbers. Images are resized on the device: what is downloaded is what is shown.
[[nodiscard]] std::vector<stile::Tensor> record(const Simulation& simulation);

/// The images side by side.
[[nodiscard]] std::string drawImages(const Values& values, Style style);

/// The numbers, with their history where there are colours.
class Table {
  public:
    Table();
    void add(const Values& values);
    [[nodiscard]] std::string draw(Style style) const;

  private:
    std::vector<History> histories_;
};

}  // namespace dashboard
