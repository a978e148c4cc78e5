#include "numbers.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <string_view>

#include "http.hpp"

namespace server {
namespace {

using nlohmann::json;

json parse(const std::string& text) {
    try {
        return json::parse(text);
    } catch (const json::exception& error) {
        // "[json.exception.parse_error.101] parse error at line 1, column 2: …"
        const std::string_view message = error.what();
        throw HttpError(400, fmt::format("not JSON: {}", message.substr(message.find(' ') + 1)));
    }
}

/// `where` says, when it is asked, which number it is.
template <class Where>
float parseNumber(const json& value, Where where) {
    if (!value.is_number()) throw HttpError(400, fmt::format("{} is not a number: {}", where(), value.dump().substr(0, 40)));
    const auto number = value.get<double>();
    if (std::abs(number) > std::numeric_limits<float>::max()) {
        throw HttpError(400, fmt::format("{} does not fit float32: {}", where(), value.dump()));
    }
    return static_cast<float>(number);
}

}  // namespace

std::vector<float> parseNumbers(const std::string& text) {
    const json list = parse(text);
    if (!list.is_array() || list.empty()) throw HttpError(400, "a list of at least one number is wanted");
    std::vector<float> values;
    values.reserve(list.size());
    for (const json& value : list) {
        values.push_back(parseNumber(value, [&] { return fmt::format("number {}", values.size()); }));
    }
    return values;
}

Iteration parseIteration(const std::string& text, std::size_t maxSteps) {
    const json object = parse(text);
    if (!object.is_object() || !object.contains("matrix")) throw HttpError(400, R"({"matrix": [[...], ...]} is wanted)");
    Iteration out;
    if (const auto steps = object.find("steps"); steps != object.end()) {
        if (!steps->is_number_unsigned() || steps->get<std::size_t>() < 1 || steps->get<std::size_t>() > maxSteps) {
            throw HttpError(400, fmt::format("steps is a count from 1 to {}", maxSteps));
        }
        out.steps = steps->get<std::size_t>();
    }
    const json& rows = object["matrix"];
    if (!rows.is_array() || rows.empty()) throw HttpError(400, "matrix is not a list of rows");
    out.size = static_cast<std::int64_t>(rows.size());
    for (std::size_t r = 0; r < rows.size(); ++r) {
        if (!rows[r].is_array() || rows[r].size() != rows.size()) {
            throw HttpError(400, fmt::format("row {} is not a list of {} numbers: the matrix is not square", r, rows.size()));
        }
        for (std::size_t c = 0; c < rows.size(); ++c) {
            out.matrix.push_back(parseNumber(rows[r][c], [&] { return fmt::format("number {} of row {}", c, r); }));
        }
    }
    return out;
}

}  // namespace server
