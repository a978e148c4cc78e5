#pragma once

#include <filesystem>
#include <string_view>

namespace stile::gl {

/// Writes a file beside its place and renames it, so that another process never reads half of it. On failure nothing is left but what
/// was there before: what is kept on disk is a convenience.
void replaceFile(const std::filesystem::path& file, std::string_view bytes) noexcept;

}  // namespace stile::gl
