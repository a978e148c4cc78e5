#include "deviations.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "values.hpp"

namespace replay {
namespace {

using Condition = std::function<bool(const Case&)>;

std::vector<std::string> tensorDTypes(const Json& arguments) {
    std::vector<std::string> out;
    for (const Json& argument : arguments) {
        if (isTensor(argument)) out.push_back(argument["dtype"].get<std::string>());
    }
    return out;
}

bool hasEmptyTensor(const Json& arguments) {
    return std::ranges::any_of(arguments, [](const Json& argument) { return isTensor(argument) && argument["data"].empty(); });
}

Condition conditionOf(const std::string& name, const Json& value) {
    if (name == "throws") {
        return [wanted = value.get<bool>()](const Case& recorded) { return recorded.throws == wanted; };
    }
    if (name == "ids") {
        return [wanted = value.get<std::vector<std::string>>()](const Case& recorded) {
            return std::ranges::find(wanted, recorded.id) != wanted.end();
        };
    }
    if (name == "dtypes") {
        return [wanted = value.get<std::vector<std::string>>()](const Case& recorded) {
            return tensorDTypes(recorded.arguments()) == wanted;
        };
    }
    if (name == "empty") {
        return [wanted = value.get<bool>()](const Case& recorded) { return hasEmptyTensor(recorded.arguments()) == wanted; };
    }
    if (name == "rank") {
        return [wanted = value.get<std::size_t>()](const Case& recorded) {
            const Json& arguments = recorded.arguments();
            return !arguments.empty() && isTensor(arguments[0]) && arguments[0]["shape"].size() == wanted;
        };
    }
    if (name == "mentions") {
        return [wanted = value](const Case& recorded) {
            return std::ranges::find(recorded.arguments(), wanted) != recorded.arguments().end();
        };
    }
    throw std::runtime_error("no condition of a deviation is named '" + name + "'");
}

}  // namespace

Deviations::Deviations(const std::string& file) {
    std::ifstream in(file);
    if (!in) throw std::runtime_error("cannot read " + file);
    for (const Json& item : Json::parse(in)) {
        Entry entry{.op = item.at("op").get<std::string>(), .reason = item.at("reason").get<std::string>()};
        for (const auto& [name, value] : item.items()) {
            if (name != "op" && name != "reason") entry.conditions.push_back(conditionOf(name, value));
        }
        if (entry.conditions.empty()) throw std::runtime_error(file + ": a deviation of all of " + entry.op);
        entries_.push_back(std::move(entry));
    }
}

std::optional<std::string> Deviations::reasonFor(const Case& recorded) const {
    for (const Entry& entry : entries_) {
        if (entry.op != recorded.op) continue;
        const auto holds = [&](const Condition& condition) { return condition(recorded); };
        if (std::ranges::all_of(entry.conditions, holds)) return entry.reason;
    }
    return {};
}

}  // namespace replay
