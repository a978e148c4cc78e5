#pragma once

#include <array>
#include <string_view>
#include <vector>

#include <stile/tensor.hpp>

namespace dashboard {

/// What is measured of each field, in this order: (x, y) is the middle of its mass, from 0 to 1, the last four are the means of
/// the quarters.
inline constexpr std::array<std::string_view, 10> measureNames{"mean", "deviation", "min", "max", "x",
                                                               "y",    "NW",        "NE",  "SW",  "SE"};

/// The measures of a field [size, size]: a scalar for each name.
[[nodiscard]] std::vector<stile::Tensor> measure(const stile::Tensor& field);

}  // namespace dashboard
