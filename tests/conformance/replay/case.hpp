#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

namespace replay {

/// What a line records. Files may mix them: the keys of a line tell.
enum class CaseKind : std::uint8_t { operation, kernel, gradient, program, optimizer, unknown };

/// One line of a case file.
struct Case {
    std::string file;
    std::size_t line = 0;
    std::string id{};
    CaseKind kind = CaseKind::unknown;
    /// The operation's or kernel's name.
    std::string op{};
    /// The whole line.
    nlohmann::json record{};
    /// An error was recorded.
    bool throws = false;
    /// One that only a dynamically typed API can raise.
    bool untyped = false;

    [[nodiscard]] const nlohmann::json& arguments() const { return record["args"]; }
    [[nodiscard]] const nlohmann::json& result() const { return record["result"]; }
};

/// \throws std::exception that says what is wrong with the line.
[[nodiscard]] Case parseCase(const std::string& text, std::string file, std::size_t line);

}  // namespace replay
