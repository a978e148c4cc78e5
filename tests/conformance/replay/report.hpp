#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "case.hpp"
#include "verdict.hpp"

namespace replay {

/// Counts verdicts and writes a line for each case that failed or is unsupported.
class Report {
  public:
    explicit Report(std::ostream& out) : out_(out) {}

    void add(const Case& recorded, const Outcome& outcome);
    /// A line that is no case: counts as unsupported.
    void addGarbled(const std::string& file, std::size_t line, const std::string& why);

    /// "N passed, M failed, K not applicable, U unsupported", and the known deviations if there are any.
    void summarize() const;
    /// The counts, by operation too, and what failed.
    void writeJson(const std::string& file) const;
    /// Nothing failed, nothing was unsupported.
    [[nodiscard]] bool good() const;

  private:
    using Counts = std::array<std::int64_t, 5>;
    [[nodiscard]] std::int64_t count(Verdict verdict) const { return totals_[static_cast<std::size_t>(verdict)]; }

    struct Finding {
        std::string id, op, verdict, why;
    };

    std::ostream& out_;
    Counts totals_{};
    std::map<std::string, Counts> byOp_;
    std::vector<Finding> findings_;
};

}  // namespace replay
