#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <stile/tensor.hpp>

namespace replay {

/// Values that a call gives to the host, not as a tensor: kind is "buffer" or the name of a typed array.
struct HostValues {
    std::string kind;
    stile::Tensor values;
};

/// What a call has returned, not downloaded yet: a tree whose leaves are tensors, numbers and strings.
struct Results {
    using List = std::vector<Results>;
    using Members = std::vector<std::pair<std::string, Results>>;

    Results(stile::Tensor tensor) : value(std::move(tensor)) {}
    Results(double number) : value(number) {}
    Results(std::string text) : value(std::move(text)) {}
    Results(HostValues values) : value(std::move(values)) {}
    Results(List list) : value(std::move(list)) {}
    /// A struct's members by their recorded names.
    Results(Members members) : value(std::move(members)) {}
    Results(const std::vector<stile::Tensor>& tensors) : value(List(tensors.begin(), tensors.end())) {}

    std::variant<stile::Tensor, double, std::string, HostValues, List, Members> value;
};

}  // namespace replay
