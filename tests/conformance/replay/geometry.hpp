#pragma once

#include <optional>

#include <stile/ops/conv.hpp>

#include "argument.hpp"

// How recorded calls say the geometry of windows.

namespace replay {

/// A number for both directions, or a list of two.
stile::Pair pair(const Argument& argument, std::int64_t otherwise);
/// A number for all directions, or a list of three.
stile::Triple triple(const Argument& argument, std::int64_t otherwise);
/// "same", "valid", a number for all sides, or pairs for the four axes (`nchw` says which are the image's).
stile::Padding padding(const Argument& argument, stile::DataFormat format);
std::optional<stile::Rounding> rounding(const Argument& argument);
/// Channels last if nothing was given.
stile::DataFormat format(const Argument& argument);

}  // namespace replay
