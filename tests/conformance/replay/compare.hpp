#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "json.hpp"

namespace replay {

/// How far a float32 may be off: `absolute + relative · |expected|`, and never more than the format's own
/// `1e-3 + 1e-6 · |expected|`.
struct Bound {
    double absolute = 1e-5;
    double relative = 1e-5;
    [[nodiscard]] double of(double expected) const;
};

/// The bound of an operation.
[[nodiscard]] Bound boundOf(std::string_view op);

/// The first difference between two results as case files write them; nothing if they agree.
[[nodiscard]] std::optional<std::string> difference(const Json& expected, const Json& actual, const Bound& bound);

}  // namespace replay
