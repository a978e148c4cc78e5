#include "summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace jank {
namespace {

/// The smallest value that at least this share of all is not above.
double percentile(std::vector<double>& values, double share) {
    if (values.empty()) return 0;
    const auto rank = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1) + 0.5);
    std::nth_element(values.begin(), values.begin() + rank, values.end());
    return values[static_cast<std::size_t>(rank)];
}

/// The time during which a beat had to wait for more than a beat. Beats that were seen at once are one wait, as long as that of
/// the first.
double blockedTime(const std::vector<Tick>& beats) {
    double sum = 0;
    Clock::time_point last{};
    for (const Tick& beat : beats) {
        if (beat.seen != last && beat.lateness() > beatPeriod) sum += milliseconds(beat.lateness());
        last = beat.seen;
    }
    return sum;
}

}  // namespace

double milliseconds(Clock::duration duration) { return std::chrono::duration<double, std::milli>(duration).count(); }

bool isMissed(const Tick& frame) { return frame.lateness() >= framePeriod; }

Summary summarize(const Trial& trial) {
    std::vector<double> lateness, lengths;
    for (const Tick& beat : trial.beats) lateness.push_back(milliseconds(beat.lateness()));
    for (const JobSpan& job : trial.jobs) lengths.push_back(milliseconds(job.end - job.begin));
    Summary summary;
    summary.framesDue = trial.frames.size();
    summary.framesMissed = static_cast<std::size_t>(std::ranges::count_if(trial.frames, isMissed));
    summary.latenessMedian = percentile(lateness, 0.5);
    summary.lateness99 = percentile(lateness, 0.99);
    summary.latenessWorst = percentile(lateness, 1);
    summary.blocked = blockedTime(trial.beats);
    summary.jobs = trial.jobs.size();
    summary.downloads = trial.jobs.size() * Results::downloads;
    for (const double length : lengths) summary.gpuSeconds += length / 1000;
    summary.jobMedian = percentile(lengths, 0.5);
    return summary;
}

Comparison compare(const Trial& a, const Trial& b) {
    Comparison comparison{.jobs = std::min(a.results.size(), b.results.size())};
    for (std::size_t i = 0; i < comparison.jobs; ++i) {
        comparison.equal = comparison.equal && bitEqual(a.results[i], b.results[i]);
    }
    return comparison;
}

std::string table(const Summary& sync, const Summary& async, const Comparison& comparison) {
    std::string text = fmt::format("{:<34}{:>10}{:>12}\n", "", "sync", "co_await");
    const auto count = [&](const char* name, std::size_t a, std::size_t b) {
        text += fmt::format("{:<34}{:>10}{:>12}\n", name, a, b);
    };
    const auto number = [&](const char* name, double a, double b, int digits) {
        text += fmt::format("{:<34}{:>10.{}f}{:>12.{}f}\n", name, a, digits, b, digits);
    };
    count("frames due", sync.framesDue, async.framesDue);
    count("frames missed", sync.framesMissed, async.framesMissed);
    number("loop lateness, median, ms", sync.latenessMedian, async.latenessMedian, 2);
    number("loop lateness, 99th percentile, ms", sync.lateness99, async.lateness99, 2);
    number("loop lateness, worst, ms", sync.latenessWorst, async.latenessWorst, 2);
    number("loop blocked, ms", sync.blocked, async.blocked, 0);
    count("jobs done", sync.jobs, async.jobs);
    number("length of a job, median, ms", sync.jobMedian, async.jobMedian, 1);
    number("GPU work done, s", sync.gpuSeconds, async.gpuSeconds, 2);
    count("downloads done", sync.downloads, async.downloads);
    text += fmt::format("{:<34}{:>22}\n", "results equal",
                        fmt::format("{} ({} jobs compared)", comparison.equal ? "yes, every bit" : "NO", comparison.jobs));
    return text;
}

std::string describe(const Results& results) {
    constexpr std::array levels{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const double most = std::max(1, *std::ranges::max_element(results.histogram));
    std::string bars;
    for (const std::int32_t count : results.histogram) bars += levels[static_cast<std::size_t>(std::ceil(count / most * 8))];
    return fmt::format("red, green, blue, mean   {:.4f} {:.4f} {:.4f}\ngrey, dark to light      {}\n", results.means.at(0),
                       results.means.at(1), results.means.at(2), bars);
}

}  // namespace jank
