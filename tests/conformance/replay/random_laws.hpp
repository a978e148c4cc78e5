#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "case.hpp"

namespace replay {

/// Whether an operation draws numbers, so that its values cannot be those of a record.
[[nodiscard]] bool isRandom(std::string_view op);

/// Checks shape and dtype against the record, and range, mean and variance against the law that the arguments name.
[[nodiscard]] std::optional<std::string> randomDifference(const Case& recorded, const nlohmann::json& actual);

}  // namespace replay
