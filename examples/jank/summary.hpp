#pragma once

#include <string>

#include "trial.hpp"

namespace jank {

/// A trial in numbers; --help defines them. Times are in milliseconds where not said otherwise.
struct Summary {
    std::size_t framesDue = 0, framesMissed = 0;
    double latenessMedian = 0, lateness99 = 0, latenessWorst = 0;
    double blocked = 0;
    std::size_t jobs = 0, downloads = 0;
    double jobMedian = 0;
    double gpuSeconds = 0;  ///< the lengths of all jobs
};

[[nodiscard]] double milliseconds(Clock::duration duration);
[[nodiscard]] bool isMissed(const Tick& frame);
[[nodiscard]] Summary summarize(const Trial& trial);

/// Whether the jobs that both trials kept have the same bits, and how many they are.
struct Comparison {
    bool equal = true;
    std::size_t jobs = 0;
};
[[nodiscard]] Comparison compare(const Trial& a, const Trial& b);

/// The two trials side by side, as text.
[[nodiscard]] std::string table(const Summary& sync, const Summary& async, const Comparison& comparison);

/// The means and the histogram of one job, as two lines of text.
[[nodiscard]] std::string describe(const Results& results);

}  // namespace jank
