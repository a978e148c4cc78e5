#pragma once

#include <asio/awaitable.hpp>

#include <string>
#include <vector>

#include "heartbeat.hpp"
#include "pipeline.hpp"

namespace jank {

constexpr Clock::duration framePeriod = std::chrono::nanoseconds(1'000'000'000 / 60);
constexpr Clock::duration beatPeriod = std::chrono::milliseconds(1);

enum class Mode { sync, async };

/// From the recording of a job to its last download.
struct JobSpan {
    Clock::time_point begin, end;
};

/// What happened while jobs ran one after another on a loop that also animates.
struct Trial {
    Mode mode;
    Clock::time_point begin, end;
    std::vector<Tick> frames;  ///< the animation, 60 Hz
    std::vector<Tick> beats;   ///< the heartbeat, 1000 Hz
    std::vector<JobSpan> jobs;
    std::vector<Results> results;  ///< of the first jobs

    /// So many results are kept, to be compared: more would fill the memory on a fast GPU.
    static constexpr std::size_t kept = 32;
};

/// Runs jobs for `length` (at least one) and animates meanwhile; `each` is called at every frame that the loop gets to.
asio::awaitable<Trial> runTrial(const Pipeline& pipeline, Mode mode, Clock::duration length, std::function<void()> each);

}  // namespace jank
