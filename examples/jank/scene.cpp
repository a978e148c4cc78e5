#include "scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "summary.hpp"

namespace jank {
namespace {

constexpr Color background{24, 27, 33}, panel{38, 43, 52}, words{225, 228, 233}, quiet{140, 148, 160};
constexpr Color syncColor{240, 96, 64}, asyncColor{64, 200, 150};

/// Goes to and fro once in two seconds, evenly: a stutter is easy to see.
double sweep(Clock::duration time) {
    const double phase = std::fmod(milliseconds(time) / 1000, 2);
    return phase < 1 ? phase : 2 - phase;
}

void drawGraph(Painter& painter, const Scene& scene, const Rectangle& where, Color color) {
    constexpr double most = 100;  // milliseconds
    const auto height = [&](double value) { return static_cast<float>(std::min(value / most, 1.0)) * where.height; };
    painter.rectangle(where, panel);
    const float step = where.width / static_cast<float>(Scene::graphFrames);
    float x = where.x + where.width - step * static_cast<float>(scene.frameTimes.size());
    for (const double value : scene.frameTimes) {
        painter.rectangle({x, where.y + where.height - height(value), std::max(1.0F, step - 0.2F), height(value)}, color);
        x += step;
    }
    const float line = where.y + where.height - height(milliseconds(framePeriod));
    painter.rectangle({where.x, line, where.width, 1}, words);
    painter.text("16.7 ms", where.x + 4, line - 16, 1.5F, words);
    painter.text("time between frames, up to 100 ms", where.x, where.y - 20, 1.5F, quiet);
}

}  // namespace

void drawScene(Painter& painter, const Scene& scene, int width, int height) {
    const bool sync = scene.mode == Mode::sync;
    const Color color = sync ? syncColor : asyncColor;
    painter.begin(width, height, background);
    painter.text(sync ? "arraySync(): the loop waits" : "co_await array(): the loop goes on", 20, 20, 3, color);
    painter.text("S or space switches, Esc ends", static_cast<float>(width) - 260, 26, 1.5F, quiet);

    painter.picture({20, 70, 520, 390});
    painter.text(fmt::format("edges; {} jobs downloaded", scene.jobs), 20, 466, 1.5F, quiet);
    drawGraph(painter, scene, {560, 90, static_cast<float>(width) - 580, 370}, color);

    const float track = static_cast<float>(width) - 40, bar = 60;
    painter.rectangle({20, 500, track, 70}, panel);
    painter.rectangle({20 + static_cast<float>(sweep(scene.time)) * (track - bar), 500, bar, 70}, color);
    painter.end();
}

}  // namespace jank
