#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace jank {

Progress::Progress(Clock::duration total) : terminal_(isatty(STDOUT_FILENO) == 1), total_(total) {}

Progress::~Progress() { clear(); }

void Progress::stage(const std::string& name) {
    stage_ = name;
    if (terminal_) {
        draw();
    } else {
        fmt::print("{}\n", name);
        std::fflush(stdout);
    }
}

void Progress::update() {
    constexpr auto interval = std::chrono::milliseconds(100);
    if (terminal_ && Clock::now() - drawn_ >= interval) draw();
}

void Progress::draw() {
    constexpr int width = 40;
    drawn_ = Clock::now();
    const auto share = std::min(1.0, std::chrono::duration<double>(drawn_ - begin_) / std::chrono::duration<double>(total_));
    const int full = static_cast<int>(share * width);
    fmt::print("\r\033[K[{:#<{}}{:.<{}}] {:3.0f} %  {}", "", full, "", width - full, share * 100, stage_);
    std::fflush(stdout);
}

void Progress::clear() {
    if (!terminal_) return;
    fmt::print("\r\033[K");
    std::fflush(stdout);
}

}  // namespace jank
