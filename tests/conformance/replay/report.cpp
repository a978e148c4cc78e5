#include "report.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <stdexcept>

namespace replay {
namespace {

constexpr std::array<const char*, 5> names{"passed", "failed", "notApplicable", "unsupported", "deviations"};

/// A file of a hundred thousand failing cases is not kept in memory; the lines are all written.
constexpr std::size_t mostFindings = 10'000;

const char* nameOf(Verdict verdict) { return names[static_cast<std::size_t>(verdict)]; }

template <class Counts>
nlohmann::json toJson(const Counts& counts) {
    nlohmann::json out;
    for (std::size_t i = 0; i < names.size(); ++i) out[names[i]] = counts[i];
    return out;
}

}  // namespace

void Report::add(const Case& recorded, const Outcome& outcome) {
    const auto index = static_cast<std::size_t>(outcome.verdict);
    ++totals_[index];
    ++byOp_[recorded.op][index];
    if (outcome.verdict == Verdict::passed || outcome.verdict == Verdict::notApplicable) return;
    if (findings_.size() < mostFindings) findings_.push_back({recorded.id, recorded.op, nameOf(outcome.verdict), outcome.why});
    if (outcome.verdict == Verdict::deviation) return;
    out_ << recorded.id << ' ' << (recorded.op.empty() ? "?" : recorded.op) << ' ' << nameOf(outcome.verdict) << ": "
         << outcome.why << '\n';
}

void Report::addGarbled(const std::string& file, std::size_t line, const std::string& why) {
    Case garbled;
    garbled.id = file + ':' + std::to_string(line);
    add(garbled, {Verdict::unsupported, "no case: " + why});
}

void Report::summarize() const {
    out_ << count(Verdict::passed) << " passed, " << count(Verdict::failed) << " failed, " << count(Verdict::notApplicable)
         << " not applicable, " << count(Verdict::unsupported) << " unsupported";
    if (count(Verdict::deviation) > 0) out_ << ", " << count(Verdict::deviation) << " known deviations";
    out_ << '\n';
}

void Report::writeJson(const std::string& file) const {
    nlohmann::json out;
    out["totals"] = toJson(totals_);
    out["operations"] = nlohmann::json::object();
    for (const auto& [op, counts] : byOp_) out["operations"][op] = toJson(counts);
    out["findings"] = nlohmann::json::array();
    for (const Finding& finding : findings_) {
        out["findings"].push_back({{"id", finding.id}, {"op", finding.op}, {"verdict", finding.verdict}, {"why", finding.why}});
    }
    std::ofstream stream(file);
    stream << out.dump(1) << '\n';
    if (!stream.flush()) throw std::runtime_error("cannot write " + file);
}

bool Report::good() const { return count(Verdict::failed) == 0 && count(Verdict::unsupported) == 0; }

}  // namespace replay
