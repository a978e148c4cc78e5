#include "deviations.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "values.hpp"

namespace replay {
namespace {

std::vector<std::string> tensorDTypes(const Json& arguments) {
    std::vector<std::string> out;
    for (const Json& argument : arguments) {
        if (isTensor(argument)) out.push_back(argument["dtype"].get<std::string>());
    }
    return out;
}

}  // namespace

Deviations::Deviations(const std::string& file) {
    std::ifstream in(file);
    if (!in) throw std::runtime_error("cannot read " + file);
    for (const Json& item : Json::parse(in)) {
        Entry entry{.op = item.at("op").get<std::string>(), .reason = item.at("reason").get<std::string>()};
        if (item.contains("ids")) entry.ids = item["ids"].get<std::vector<std::string>>();
        if (item.contains("dtypes")) entry.dtypes = item["dtypes"].get<std::vector<std::string>>();
        if (entry.ids.empty() == entry.dtypes.empty())
            throw std::runtime_error(file + ": either ids or dtypes: " + item.dump());
        entries_.push_back(std::move(entry));
    }
}

std::optional<std::string> Deviations::reasonFor(const Case& recorded) const {
    for (const Entry& entry : entries_) {
        if (entry.op != recorded.op) continue;
        if (std::ranges::find(entry.ids, recorded.id) != entry.ids.end()) return entry.reason;
        if (!entry.dtypes.empty() && entry.dtypes == tensorDTypes(recorded.arguments())) return entry.reason;
    }
    return {};
}

}  // namespace replay
