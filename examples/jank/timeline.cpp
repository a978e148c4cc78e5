#include "timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "canvas.hpp"
#include "summary.hpp"

namespace jank {
namespace {

constexpr Color paper{255, 255, 255}, ink{40, 44, 52}, faint{225, 228, 233};
constexpr Color onTime{27, 158, 119}, missed{217, 60, 40}, beatColor{176, 196, 222};
constexpr std::array jobColors{Color{117, 112, 179}, Color{178, 174, 214}};

constexpr int pictureWidth = 1500, pictureHeight = 1020;
constexpr int left = 190, plotWidth = 1280;
constexpr int stripHeight = 30, plotHeight = 250, bandHeight = 16;

/// The foot of the logarithmic axis of lateness, in milliseconds.
constexpr double least = 0.01;

/// One trial: a strip of the frames that were drawn, the lateness, a band of jobs.
class Panel {
  public:
    /// `most`: the top of the axis of lateness, in milliseconds.
    Panel(Canvas& canvas, const Trial& trial, int top, Clock::duration length, double most)
        : canvas_(canvas),
          trial_(trial),
          strip_(top + 30),
          plot_(strip_ + stripHeight + 16),
          band_(plot_ + plotHeight + 14),
          length_(length),
          most_(most) {}

    void draw(const std::string& title) {
        canvas_.text(title, left, strip_ - 30, ink);
        drawAxes();
        drawFrames();
        drawJobs();
        drawLateness();
    }

  private:
    [[nodiscard]] int x(Clock::time_point time) const {
        return left + static_cast<int>(plotWidth * (milliseconds(time - trial_.begin) / milliseconds(length_)));
    }
    [[nodiscard]] int y(double lateness) const {
        const double share = std::log(std::clamp(lateness, least, most_) / least) / std::log(most_ / least);
        return plot_ + plotHeight - static_cast<int>(share * plotHeight);
    }

    void drawAxes() {
        for (double value = least; value < most_ * 1.5; value *= 10) {
            canvas_.fill(left, y(value), plotWidth, 1, faint);
            canvas_.textRight(fmt::format("{:g}", value), left - 10, y(value) - 7, ink);
        }
        canvas_.textRight("frames", left - 10, strip_ + 8, ink);
        canvas_.text("lateness,", 10, plot_ + plotHeight / 2 - 20, ink);
        canvas_.text("ms", 10, plot_ + plotHeight / 2 + 2, ink);
        canvas_.textRight("jobs", left - 10, band_, ink);
        const double seconds = milliseconds(length_) / 1000;
        const double step = seconds > 20 ? 5 : seconds > 3 ? 1 : 0.5;
        const int foot = band_ + bandHeight;
        for (int i = 0; i * step <= seconds; ++i) {
            const int at = left + static_cast<int>(plotWidth * (i * step / seconds));
            canvas_.fill(at, plot_, 1, plotHeight, faint);
            canvas_.fill(at, foot, 1, 6, ink);
            canvas_.textCentred(fmt::format("{}", i * step), at, foot + 10, ink);
        }
        canvas_.textRight("time, s", left + plotWidth, foot + 32, ink);
        canvas_.fill(left, plot_, 1, plotHeight, ink);
        canvas_.fill(left, plot_ + plotHeight, plotWidth, 1, ink);
    }

    void drawFrames() {
        canvas_.fill(left, strip_, plotWidth, stripHeight, faint);
        for (const Tick& frame : trial_.frames) {
            if (!isMissed(frame)) canvas_.fill(x(frame.seen), strip_, 2, stripHeight, ink);
        }
    }

    void drawJobs() {
        for (std::size_t i = 0; i < trial_.jobs.size(); ++i) {
            const auto [begin, end] = trial_.jobs[i];
            canvas_.fill(x(begin), band_, std::max(1, x(end) - x(begin)), bandHeight, jobColors[i % 2]);
        }
    }

    void drawLateness() {
        for (const Tick& beat : trial_.beats) {
            const int top = y(milliseconds(beat.lateness()));
            canvas_.fill(x(beat.due), top, 1, plot_ + plotHeight - top, beatColor);
        }
        // One frame: beyond this line it is missed.
        for (int at = left; at < left + plotWidth; at += 12) canvas_.fill(at, y(milliseconds(framePeriod)), 6, 1, ink);
        for (const Tick& frame : trial_.frames) {
            canvas_.fill(x(frame.due) - 2, y(milliseconds(frame.lateness())) - 2, 5, 5, isMissed(frame) ? missed : onTime);
        }
    }

    Canvas& canvas_;
    const Trial& trial_;
    int strip_, plot_, band_;
    Clock::duration length_;
    double most_;
};

std::string titleOf(const char* name, const Trial& trial) {
    const Summary summary = summarize(trial);
    return fmt::format("{}: {} of {} frames missed; loop lateness 99th percentile {:.2f} ms, worst {:.1f} ms", name,
                       summary.framesMissed, summary.framesDue, summary.lateness99, summary.latenessWorst);
}

void drawLegend(Canvas& canvas, int y) {
    int at = left;
    const auto entry = [&](Color color, int width, int height, const std::string& words) {
        canvas.fill(at, y + 7 - height / 2, width, height, color);
        canvas.text(words, at + width + 8, y, ink);
        at += width + 8 + static_cast<int>(textWidth(words, 2)) + 36;
    };
    entry(ink, 2, 18, "a frame was drawn");
    entry(onTime, 9, 9, "frame on time");
    entry(missed, 9, 9, "frame missed");
    entry(beatColor, 16, 16, "1 ms heartbeat");
    entry(jobColors[0], 16, 16, "GPU job");
    entry(ink, 6, 1, "one frame, 16.7 ms");
}

}  // namespace

Image drawTimeline(const Trial& sync, const Trial& async) {
    Canvas canvas(pictureWidth, pictureHeight, paper);
    canvas.text("A 60 Hz animation on the loop that downloads GPU results", left, 20, ink, 3);
    drawLegend(canvas, 66);
    const Clock::duration length = std::max(sync.end - sync.begin, async.end - async.begin);
    const double worst = std::max(summarize(sync).latenessWorst, summarize(async).latenessWorst);
    const double most = std::pow(10, std::max(2.0, std::ceil(std::log10(worst))));
    Panel(canvas, sync, 110, length, most).draw(titleOf("arraySync()", sync));
    Panel(canvas, async, 565, length, most).draw(titleOf("co_await array()", async));
    return canvas.image();
}

}  // namespace jank
