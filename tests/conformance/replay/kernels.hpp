#pragma once

#include <optional>

#include "case.hpp"

namespace replay {

/// A kernel's case as a case of the operation that stands above it, with a list of outputs as its result. Nothing for kernels that no
/// operation stands for.
[[nodiscard]] std::optional<Case> asOperation(const Case& kernel);

}  // namespace replay
