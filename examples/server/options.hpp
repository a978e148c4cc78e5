#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace server {

/// What the command line says. Times are in seconds, sizes in bytes.
struct Options {
    std::string address = "127.0.0.1";
    std::size_t port = 8080;
    std::size_t maxConnections = 512;
    std::size_t maxRunning = 8;
    std::size_t maxWaiting = 512;
    std::size_t maxHeaders = std::size_t{16} << 10;
    std::size_t maxBody = std::size_t{4} << 20;
    std::size_t maxBuffered = std::size_t{256} << 20;
    std::size_t maxPixels = 4'000'000;
    std::size_t maxSteps = 1'000'000;
    double idleTimeout = 60;
    double readTimeout = 10;
    double requestTimeout = 10;
    double writeTimeout = 10;
    double grace = 5;
    bool help = false;
};

/// The text of --help.
[[nodiscard]] std::string usage();

/// \throws std::invalid_argument that says what is wrong.
[[nodiscard]] Options parseOptions(std::span<char*> arguments);

}  // namespace server
