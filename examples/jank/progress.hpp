#pragma once

#include <string>

#include "heartbeat.hpp"

namespace jank {

/// Says on standard output how far the program is: a bar on a terminal, else one line for each stage.
class Progress {
  public:
    /// `total`: how long the whole will take, roughly.
    explicit Progress(Clock::duration total);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void stage(const std::string& name);
    /// Brings the bar up to date; cheap enough for every frame.
    void update();

  private:
    void draw();
    void clear();

    bool terminal_;
    std::string stage_;
    Clock::time_point begin_ = Clock::now();
    Clock::time_point drawn_{};
    Clock::duration total_;
};

}  // namespace jank
