#include "gl/tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <utility>

#include "gl/replace_file.hpp"
#include "log/log.hpp"

namespace stile::gl {
namespace {

/// A driver's identity as a name for a file.
std::string fileName(std::string text) {
    std::ranges::replace_if(text, [](unsigned char c) { return std::isalnum(c) == 0 && c != '.'; }, '-');
    return text.substr(0, 200) + ".txt";
}

}  // namespace

Tuning::Tuning(const Api& gl, const Driver& driver, std::filesystem::path folder)
    : identity_(driver.identity()), timer_(gl, driver) {
    const char* text = std::getenv("STILE_TUNING");
    forced_ = text ? text : "";
    on_ = forced_.empty() && timer_.isAvailable();
    if (forced_ == "0") forced_.clear();
    if (!on_ || folder.empty()) return;
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) return;
    file_ = folder / fileName(identity_);
    load();
}

void Tuning::load() {
    std::ifstream file(file_);
    std::string line;
    // Names that are cut short may be alike: the first line tells the whole.
    if (!std::getline(file, line) || line != identity_) return;
    while (std::getline(file, line)) {
        const std::size_t space = line.find(' ');
        if (space != std::string::npos) kinds_[line.substr(0, space)].choice = line.substr(space + 1);
    }
}

void Tuning::store() const {
    if (file_.empty()) return;
    std::string text = identity_ + '\n';
    for (const auto& [name, kind] : kinds_) {
        if (!kind.choice.empty()) text += fmt::format("{} {}\n", name, kind.choice);
    }
    replaceFile(file_, text);
}

std::string_view Tuning::chosen(std::string_view kind) {
    if (!forced_.empty()) return forced_;
    const auto found = kinds_.find(kind);
    if (found == kinds_.end()) return {};
    if (found->second.isComplete && timer_.isDone(found->second.marks.back().query)) decide(kind, found->second);
    return found->second.choice;
}

bool Tuning::begin(std::string_view kind) {
    if (!on_) return false;
    Kind& k = kinds_.try_emplace(std::string(kind)).first->second;
    return k.choice.empty() && !std::exchange(k.begun, true);
}

void Tuning::mark(std::string_view kind, std::string_view candidate) {
    kinds_.find(kind)->second.marks.push_back({std::string(candidate), timer_.mark()});
}

void Tuning::decide(std::string_view name, Kind& kind) {
    std::map<std::string, std::int64_t> best;
    std::int64_t before = 0;
    for (const Mark& mark : kind.marks) {
        const std::int64_t time = timer_.take(mark.query);
        if (!mark.candidate.empty()) {
            auto& least = best.try_emplace(mark.candidate, std::numeric_limits<std::int64_t>::max()).first->second;
            least = std::min(least, time - before);
        }
        before = time;
    }
    kind.choice = std::ranges::min_element(best, {}, [](const auto& entry) { return entry.second; })->first;
    kind.marks.clear();
    kind.isComplete = false;
    std::string times;
    for (const auto& [candidate, time] : best) times += fmt::format(" {} {} µs,", candidate, time / 1000);
    log::info("measured for {}:{} so {} is used", name, times, kind.choice);
    store();
}

void Tuning::abandon() noexcept {
    timer_.abandon();
    for (auto& [name, kind] : kinds_) {
        kind.marks.clear();
        kind.isComplete = false;
    }
}

}  // namespace stile::gl
