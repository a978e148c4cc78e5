#pragma once

#include "options.hpp"
#include "pipeline.hpp"

namespace jank {

/// Runs the jobs and draws the animation in a window until it is closed. True if all went well.
/// \throws std::runtime_error if there can be no window.
bool runWindow(const Options& options, const Pipeline& pipeline);

}  // namespace jank
