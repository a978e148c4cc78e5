#include "options.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <variant>

namespace server {
namespace {

struct Row {
    std::string_view name;
    std::variant<std::size_t Options::*, double Options::*> member;
    double least, most;
    std::string_view help;
};

constexpr double many = 1e6, gigabytes = 64e9, day = 86400;

constexpr std::array rows{
    Row{"--port", &Options::port, 0, 65535, "where to listen; 0 takes a free port. It is printed"},
    Row{"--max-connections", &Options::maxConnections, 1, many, "open connections; beyond them 503"},
    Row{"--max-running", &Options::maxRunning, 1, many, "requests that are worked on at a time"},
    Row{"--max-waiting", &Options::maxWaiting, 0, many, "requests that wait for their turn; beyond them 503"},
    Row{"--max-headers", &Options::maxHeaders, 256, 1e9, "bytes of a request's headers; beyond them 431"},
    Row{"--max-body", &Options::maxBody, 0, 1e9, "bytes of a request's body; beyond them 413"},
    Row{"--max-buffered", &Options::maxBuffered, 0, gigabytes, "bytes of all bodies together; beyond them 503"},
    Row{"--max-pixels", &Options::maxPixels, 1, 1e9, "pixels of an image; beyond them 413"},
    Row{"--max-steps", &Options::maxSteps, 1, 1e9, "steps that /eigenvalue may be asked for"},
    Row{"--idle-timeout", &Options::idleTimeout, 0.01, day, "seconds until a quiet connection is closed"},
    Row{"--read-timeout", &Options::readTimeout, 0.01, day, "seconds in which a request has to come in; then 408"},
    Row{"--request-timeout", &Options::requestTimeout, 0.01, day, "seconds in which it has to be answered; then 504"},
    Row{"--write-timeout", &Options::writeTimeout, 0.01, day, "seconds in which the client has to take the answer"},
    Row{"--grace", &Options::grace, 0, day, "seconds to finish what runs when the server is stopped"},
};

template <class Number>
Number parse(const Row& row, std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const auto number = static_cast<double>(value);
    if (error != std::errc{} || end != text.data() + text.size() || !(number >= row.least && number <= row.most)) {
        throw std::invalid_argument(
            fmt::format("{} takes a number from {} to {}, not '{}'", row.name, row.least, row.most, text));
    }
    return value;
}

const Row& find(std::string_view name) {
    for (const Row& row : rows) {
        if (row.name == name) return row;
    }
    throw std::invalid_argument(fmt::format("there is no option {}", name));
}

}  // namespace

std::string usage() {
    const Options defaults;
    std::string text = R"(usage: server [options]

An HTTP/1.1 server that computes on the GPU. One thread runs the event loop, and no download blocks it.

  POST /stats       [1, 2, 3]                             count, mean, deviation, least, largest, peak of the softmax
  POST /image       a PNG or JPEG file                    mean colour, histogram, strength of edges, a grid of colours
  POST /eigenvalue  {"matrix": [[2, 0], [0, 1]], "steps": 100}   the dominant eigenvalue, by power iteration
  GET  /health      what the device holds and does, how late the loop is, memory, counts

Errors come as {"error": "..."}. SIGINT or SIGTERM stops the server when what runs is finished; the second one at once.

)";
    text += fmt::format("  {:<22} the address to listen on ({})\n", "--address A", defaults.address);
    for (const Row& row : rows) {
        const auto value = std::visit([&](auto member) { return fmt::format("{}", defaults.*member); }, row.member);
        text += fmt::format("  {:<22} {} ({})\n", fmt::format("{} N", row.name), row.help, value);
    }
    return text + "  --help                 this text\n";
}

Options parseOptions(std::span<char*> arguments) {
    Options options;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string_view argument = arguments[i];
        if (argument == "--help" || argument == "-h") {
            options.help = true;
            continue;
        }
        if (argument != "--address") (void)find(argument);
        if (i + 1 == arguments.size()) throw std::invalid_argument(fmt::format("{} takes a value", argument));
        const std::string_view text = arguments[++i];
        if (argument == "--address") {
            options.address = text;
            continue;
        }
        const Row& row = find(argument);
        if (const auto* count = std::get_if<std::size_t Options::*>(&row.member)) {
            options.** count = parse<std::size_t>(row, text);
        } else {
            options.*std::get<double Options::*>(row.member) = parse<double>(row, text);
        }
    }
    return options;
}

}  // namespace server
