#pragma once

#include "image.hpp"
#include "trial.hpp"

namespace jank {

/// Both trials over time: when a frame was drawn, how late the loop was, and which jobs ran.
[[nodiscard]] Image drawTimeline(const Trial& sync, const Trial& async);

}  // namespace jank
