#include "options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace dashboard {

const char* const usage = R"(usage: dashboard [options]

A chemical reaction (Gray and Scott's) is computed on the GPU and shown live in the terminal: 4 images and 50 numbers with
their history. All 54 downloads of a frame are asked for in one turn of the event loop and share one fence. Needs about 160
columns and 30 rows. Ctrl-C ends it.

  --frames N   ends after so many (0: when interrupted)
  --size N     rows and columns of the simulation (96)
  --steps N    steps of the simulation between frames (8)
  --fps N      frames a second at most; 0: as many as the device computes (30)
  --plain      no escape sequences: one frame below the other, the numbers in full
  --help       this text
)";

namespace {

template <class Number>
Number parse(std::string_view option, std::string_view text, Number least, Number most) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !(value >= least && value <= most)) {
        throw std::invalid_argument(fmt::format("{} takes a number from {} to {}, not '{}'", option, least, most, text));
    }
    return value;
}

}  // namespace

Options parseOptions(std::span<char*> arguments) {
    Options options;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string_view argument = arguments[i];
        const auto value = [&]() -> std::string_view {
            if (i + 1 == arguments.size()) throw std::invalid_argument(fmt::format("{} takes a value", argument));
            return arguments[++i];
        };
        if (argument == "--help" || argument == "-h") {
            options.help = true;
        } else if (argument == "--plain") {
            options.plain = true;
        } else if (argument == "--frames") {
            options.frames = parse(argument, value(), 0, 1'000'000'000);
        } else if (argument == "--size") {
            options.size = parse(argument, value(), 16, 2048);
        } else if (argument == "--steps") {
            options.steps = parse(argument, value(), 1, 100);
        } else if (argument == "--fps") {
            options.fps = parse(argument, value(), 0.0, 1000.0);
        } else {
            throw std::invalid_argument(fmt::format("there is no option {}", argument));
        }
    }
    return options;
}

}  // namespace dashboard
