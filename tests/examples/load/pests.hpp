#pragma once

#include <asio/awaitable.hpp>

#include <map>
#include <string>

namespace load {

/// What clients that do not behave have met, and what they should have met.
struct PestReport {
    std::map<std::string, int> met;
    std::string complaint;  ///< the first surprise
};

/// Clients that are slow, send half a request, too much or nonsense, or leave while their answer is computed, each again and again
/// for as long as `running`.
asio::awaitable<void> runPests(unsigned short port, const bool& running, PestReport& report);

}  // namespace load
