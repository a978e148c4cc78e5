#include "options.hpp"

#include <charconv>
#include <stdexcept>
#include <string>
#include <string_view>

namespace jank {

const char* const usage = R"(usage: jank [options] [IMAGE]

Runs image jobs on the GPU (a resized grey image, a 31-tap Gaussian blur, Sobel edges, channel means, a 64-bin
histogram, a large matrix product) and downloads every result, while the same event loop animates at 60 Hz. Once with the
blocking downloads, once with co_await. Prints what the animation made of it, and writes edges.png, blur.png and
timeline.png. IMAGE is a JPEG, PNG or BMP file; without one, a photo of a raccoon.

  --seconds N        how long each of the two trials lasts (6)
  --height N         rows of the computed pictures (480)
  --load N           size of the matrices (768)
  --device N         an EGL device; by default the first that works, hardware first
  --out DIR          where the pictures go (demo-out)
  --window           draw the animation in a window; S or space switches between sync and co_await, Esc ends.
                     With --seconds, it ends by itself
  --sync             with --window: begin with the blocking downloads
  --screenshot FILE  with --window: write the last frame as PNG
  --help             this text

How lateness is measured. A heartbeat is due on the loop each millisecond, at moments that are fixed at the start of a
trial. Its lateness is the time from that moment until the loop got to it, never below zero. Beats that fall due while the
loop is blocked all count, each with its own delay, so the percentiles speak of time and not of wake-ups. A frame is missed
if the next one was due before the loop got to it. The loop is blocked while a beat has to wait for more than 1 ms. One
job runs before the trials and is not counted: it compiles the shaders.

Exit status: 0 if both trials gave the same bits, 1 if not or if something failed, 2 for a wrong option.
)";

namespace {

template <class Number>
Number parse(std::string_view option, std::string_view text, Number least, Number most) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !(value >= least && value <= most)) {
        throw std::invalid_argument(std::string(option) + " takes a number from " + std::to_string(least) + " to " +
                                    std::to_string(most) + ", not '" + std::string(text) + "'");
    }
    return value;
}

}  // namespace

Options parseOptions(std::span<char*> arguments) {
    Options options;
    bool photo = false, seconds = false;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string_view argument = arguments[i];
        const auto value = [&]() -> std::string_view {
            if (i + 1 == arguments.size()) throw std::invalid_argument(std::string(argument) + " takes a value");
            return arguments[++i];
        };
        if (argument == "--help" || argument == "-h") {
            options.help = true;
        } else if (argument == "--window") {
            options.window = true;
        } else if (argument == "--sync") {
            options.sync = true;
        } else if (argument == "--seconds") {
            options.seconds = parse(argument, value(), 0.1, 3600.0);
            seconds = true;
        } else if (argument == "--device") {
            options.device = parse(argument, value(), 0, 1000);
        } else if (argument == "--height") {
            options.height = parse(argument, value(), 8, 8192);
        } else if (argument == "--load") {
            options.load = parse(argument, value(), 1, 16384);
        } else if (argument == "--out") {
            options.out = value();
        } else if (argument == "--screenshot") {
            options.screenshot = value();
        } else if (argument.starts_with('-')) {
            throw std::invalid_argument("there is no option " + std::string(argument));
        } else if (photo) {
            throw std::invalid_argument("one image at most: " + std::string(argument));
        } else {
            options.photo = argument;
            photo = true;
        }
    }
    if ((!options.screenshot.empty() || options.sync) && !options.window) {
        throw std::invalid_argument("--screenshot and --sync go with --window");
    }
    if (options.window && !seconds) options.seconds = 0;
    return options;
}

}  // namespace jank
