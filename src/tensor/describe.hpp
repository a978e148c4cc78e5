#pragma once

#include <exception>
#include <span>
#include <string>
#include <system_error>

#include "stile/tensor.hpp"

namespace stile::detail {

/// What a message says of tensors: their operations and shapes; "everything before" if there are none.
[[nodiscard]] std::string described(std::span<const Tensor> tensors);

/// What an error says, without the meaning of its code that follows.
[[nodiscard]] std::string words(const std::system_error& error);

/// An end that is the same for all who wait, but for what they wait for.
struct Failure {
    std::error_code code;
    std::string text;
    /// The error for one of them.
    [[nodiscard]] std::exception_ptr waitingFor(const std::string& what) const;
};

}  // namespace stile::detail
