#include "stile/ops/strings.hpp"

#include <farmhash.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "host/regex.hpp"
#include "ops/check.hpp"
#include "ops/on_host.hpp"

namespace stile::string {
namespace {

std::vector<std::string_view> partsOf(std::string_view text, std::string_view delimiters, bool skipEmpty) {
    std::vector<std::string_view> parts;
    if (text.empty()) return parts;
    if (delimiters.empty()) {
        for (std::size_t i = 0; i < text.size(); ++i) parts.push_back(text.substr(i, 1));
        return parts;
    }
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find_first_of(delimiters, start), text.size());
        if (end > start || !skipEmpty) parts.push_back(text.substr(start, end - start));
        start = end + 1;
    }
    return parts;
}

}  // namespace

Split stringSplit(const Tensor& input, const std::string& delimiter, bool skipEmpty) {
    constexpr const char* op = "stringSplit";
    ops::expect(op, "input", input, DType::string);
    if (input.rank() != 1) ops::fail(op, "input {} is no list", toString(input.shape()));
    std::vector<std::int32_t> indices;
    std::vector<std::string> values;
    std::int32_t row = 0, columns = 0;
    for (const std::string& text : ops::elementsOf<std::string>(input)) {
        std::int32_t column = 0;
        for (const std::string_view part : partsOf(text, delimiter, skipEmpty)) {
            indices.push_back(row);
            indices.push_back(column++);
            values.emplace_back(part);
        }
        columns = std::max(columns, column);
        ++row;
    }
    const auto count = static_cast<std::int64_t>(values.size());
    const Shape pairs = ops::shapeOf(op, {count, 2});
    return {ops::onHost(op, pairs, std::move(indices)), ops::onHost(op, Shape(count), std::move(values)),
            ops::onHost(op, Shape(2), std::vector{row, columns})};
}

Tensor stringToHashBucketFast(const Tensor& input, std::int64_t numBuckets) {
    constexpr const char* op = "stringToHashBucketFast";
    ops::expect(op, "input", input, DType::string);
    if (numBuckets < 1 || numBuckets > std::int64_t{1} << 31) {
        ops::fail(op, "numBuckets {}, input {}", numBuckets, toString(input.shape()));
    }
    std::vector<std::int32_t> buckets;
    buckets.reserve(static_cast<std::size_t>(input.size()));
    for (const std::string& text : ops::elementsOf<std::string>(input)) {
        const std::uint64_t fingerprint = util::Fingerprint64(text.data(), text.size());
        buckets.push_back(static_cast<std::int32_t>(fingerprint % static_cast<std::uint64_t>(numBuckets)));
    }
    return ops::onHost(op, input.shape(), std::move(buckets));
}

Tensor staticRegexReplace(const Tensor& input, const std::string& pattern, const std::string& rewrite, bool replaceGlobal) {
    constexpr const char* op = "staticRegexReplace";
    ops::expect(op, "input", input, DType::string);
    std::vector<std::string> replaced;
    replaced.reserve(static_cast<std::size_t>(input.size()));
    try {
        const host::Regex regex(pattern);
        for (const std::string& text : ops::elementsOf<std::string>(input)) {
            replaced.push_back(regex.replace(text, rewrite, replaceGlobal));
        }
    } catch (const Error& e) {
        ops::fail(op, "{}", detail::words(e));
    }
    return ops::onHost(op, input.shape(), std::move(replaced));
}

}  // namespace stile::string
