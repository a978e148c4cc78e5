#include "case.hpp"

#include <array>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace replay {
namespace {

/// The first row all of whose keys a line has is its kind; `name` is the key of what it calls.
struct Keys {
    CaseKind kind;
    std::string_view name;
    std::string_view also;
};
constexpr std::array kinds{
    Keys{CaseKind::program, "program", "grads"}, Keys{CaseKind::optimizer, "optimizer", "steps"},
    Keys{CaseKind::gradient, "op", "grads"},     Keys{CaseKind::kernel, "kernel", "inputs"},
    Keys{CaseKind::operation, "op", "args"},
};

bool flag(const nlohmann::json& record, const char* name) {
    const auto found = record.find(name);
    return found != record.end() && found->is_boolean() && found->get<bool>();
}

}  // namespace

Case parseCase(const std::string& text, std::string file, std::size_t line) {
    Case out{.file = std::move(file), .line = line, .record = nlohmann::json::parse(text)};
    if (!out.record.is_object()) throw std::runtime_error("no object");
    for (const Keys& keys : kinds) {
        if (!out.record.contains(keys.name) || !out.record.contains(keys.also)) continue;
        out.kind = keys.kind;
        const nlohmann::json& name = out.record[std::string(keys.name)];
        out.op = name.is_string() ? name.get<std::string>() : std::string(keys.name);
        break;
    }
    out.id = out.record.contains("id") && out.record["id"].is_string() ? out.record["id"].get<std::string>()
                                                                       : out.file + ':' + std::to_string(line);
    out.throws = flag(out.record, "throws");
    out.untyped = flag(out.record, "untyped");
    if (out.kind == CaseKind::operation && !out.throws && !out.record.contains("result")) {
        throw std::runtime_error("neither a result nor an error is recorded");
    }
    if (out.kind == CaseKind::operation && !out.arguments().is_array()) throw std::runtime_error("args is no list");
    return out;
}

}  // namespace replay
