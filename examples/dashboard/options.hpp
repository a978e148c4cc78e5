#pragma once

#include <span>

namespace dashboard {

/// What the command line says.
struct Options {
    int frames = 0;  ///< 0: until it is interrupted
    int size = 96;
    int steps = 8;
    double fps = 30;  ///< 0: as fast as the device is
    bool plain = false;
    bool help = false;
};

/// The text of --help.
extern const char* const usage;

/// \throws std::invalid_argument that says what is wrong.
[[nodiscard]] Options parseOptions(std::span<char*> arguments);

}  // namespace dashboard
