#pragma once

#include <optional>
#include <string_view>

#include <stile/create.hpp>
#include <stile/tensor.hpp>

#include "json.hpp"

namespace replay {

/// The dtype of this name. \throws Mismatch if there is none, Unsupported if the library has none such.
[[nodiscard]] stile::DType dtypeNamed(std::string_view name);

/// A JSON number, or one of the strings that stand for NaN and the infinities.
[[nodiscard]] bool isNumber(const Json& value);
/// \throws Mismatch unless it is one.
[[nodiscard]] double toNumber(const Json& value);

/// `{"shape":…,"dtype":…,"data":…}`.
[[nodiscard]] bool isTensor(const Json& value);
/// `{"typed":…,"data":…}`.
[[nodiscard]] bool isTypedArray(const Json& value);

/// Numbers, strings and lists of them. Arrays of bytes are strings where a tensor of strings is wanted.
[[nodiscard]] stile::Nested toNested(const Json& value, std::optional<stile::DType> dtype);

/// The tensor that a value stands for: a recorded one, a number, a nested list, a typed array. `dtype` is what host values become;
/// without it, it follows from them. \throws Mismatch for anything else.
[[nodiscard]] stile::Tensor toTensor(const Json& value, std::optional<stile::DType> dtype = {});

}  // namespace replay
