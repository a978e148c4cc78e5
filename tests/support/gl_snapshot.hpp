#pragma once

#include <map>
#include <string>
#include <vector>

#include "gl/api.hpp"

namespace test {

/// Everything that the current context can be asked for, by name. What this driver does not know is left out.
using Snapshot = std::map<std::string, std::vector<double>>;

/// Takes it, and leaves the context as it was, but for the error flag, which it clears.
[[nodiscard]] Snapshot snapshot(const stile::gl::Api& gl, bool es);

/// What differs, as text; empty if nothing does.
[[nodiscard]] std::string differences(const Snapshot& before, const Snapshot& after);

}  // namespace test
