#pragma once

#include <string_view>

namespace stile::kernels {

/// A file below shaders/, embedded at build time; empty if there is none of that name.
[[nodiscard]] std::string_view shaderSource(std::string_view name) noexcept;

}  // namespace stile::kernels
