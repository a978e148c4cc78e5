#pragma once

#include <string>
#include <utility>
#include <vector>

namespace bench {

struct Options {
    bool quick = false;
    bool firstUse = false;                                   ///< this is a child process that measures that
    bool warmUp = false;                                     ///< the same after a warm-up
    std::string filter;                                      ///< rows with this text in their names; empty: all
    std::string json;                                        ///< a file to write; empty: none
    std::vector<std::pair<std::string, std::string>> peers;  ///< names and files
};

/// Ends the program, with a text, for --help and for what it does not know.
[[nodiscard]] Options parse(int count, char** arguments);

}  // namespace bench
