#pragma once

#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <vector>

namespace load {

/// A request, and what its answer has to be by a computation on the CPU.
struct Case {
    std::string request;
    /// Empty if the answer is right, else what is wrong with it.
    std::function<std::string(const nlohmann::json&)> complaint;
};

/// Numbers, PNG and JPEG images and matrices of several sizes, in the mix in which they are to be sent.
[[nodiscard]] std::vector<Case> makeCases();

}  // namespace load
