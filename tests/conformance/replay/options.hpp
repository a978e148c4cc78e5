#pragma once

#include <string>
#include <vector>

namespace replay {

struct Options {
    /// llvmpipe, es, zink or fake; what the environment says if empty.
    std::string driver{};
    /// Says that the files hold kernels. They are replayed without it too: files of operations have some among them.
    bool kernels = false;
    /// Where the counts go as JSON.
    std::string json{};
    std::vector<std::string> files{};
};

/// \throws std::runtime_error with what is wrong.
[[nodiscard]] Options parseOptions(const std::vector<std::string>& words);

extern const char* const usage;

/// Sets the environment that the driver is chosen by. Before the device is opened.
void chooseDriver(const std::string& name);

}  // namespace replay
