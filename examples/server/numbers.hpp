#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace server {

/// A JSON list of at least one number. \throws HttpError 400 that says what is wrong, where.
[[nodiscard]] std::vector<float> parseNumbers(const std::string& json);

/// What /eigenvalue is asked for.
struct Iteration {
    std::int64_t size = 0;
    std::vector<float> matrix;  ///< size × size
    std::size_t steps = 100;
};

/// {"matrix": rows of numbers, "steps": a count that may be left out}. \throws HttpError 400 that says what is wrong, where.
[[nodiscard]] Iteration parseIteration(const std::string& json, std::size_t maxSteps);

}  // namespace server
