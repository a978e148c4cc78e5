#pragma once

#include <deque>

#include "painter.hpp"
#include "trial.hpp"

namespace jank {

/// What the window shows besides the picture.
struct Scene {
    Mode mode = Mode::async;
    Clock::duration time{};           ///< since the start
    std::deque<double> frameTimes{};  ///< milliseconds between the last frames, the newest at the end
    std::size_t jobs = 0;

    static constexpr std::size_t graphFrames = 300;
};

constexpr int sceneWidth = 960, sceneHeight = 600;

void drawScene(Painter& painter, const Scene& scene, int width, int height);

}  // namespace jank
