#pragma once

#include <filesystem>
#include <optional>
#include <span>

namespace jank {

/// What the command line says.
struct Options {
    std::filesystem::path photo = JANK_PHOTO;
    std::filesystem::path out = "demo-out";
    std::filesystem::path screenshot;
    double seconds = 6;  ///< 0: until the window is closed
    std::optional<int> device{};
    int height = 480;
    int load = 768;
    bool window = false;
    bool sync = false;
    bool help = false;
};

/// The text of --help.
extern const char* const usage;

/// \throws std::invalid_argument that says what is wrong.
[[nodiscard]] Options parseOptions(std::span<char*> arguments);

}  // namespace jank
