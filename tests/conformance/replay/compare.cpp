#include "compare.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include "values.hpp"

namespace replay {
namespace {

/// Operations whose results differ more between a CPU's double arithmetic, rounded at the end, and a GPU's float32.
struct LooserBound {
    std::string_view op;
    Bound bound;
};
constexpr std::array looser{
    LooserBound{"pow", {1e-4, 1e-5}},
    // Sums of hundreds of products.
    LooserBound{"fft", {1e-4, 1e-5}},
    LooserBound{"ifft", {1e-4, 1e-5}},
    LooserBound{"rfft", {1e-4, 1e-5}},
    LooserBound{"irfft", {1e-4, 1e-5}},
    LooserBound{"signal.stft", {1e-4, 1e-5}},
};

std::string shortened(const Json& value) {
    std::string text = value.dump();
    return text.size() > 60 ? text.substr(0, 57) + "..." : text;
}

std::string at(const std::string& path, const std::string& what) { return (path.empty() ? "" : path + ": ") + what; }

std::string instead(const std::string& path, const Json& actual, const Json& expected) {
    return at(path, shortened(actual) + " instead of " + shortened(expected));
}

bool agree(double expected, double actual, const Bound& bound) {
    if (std::isnan(expected) || std::isnan(actual)) return std::isnan(expected) && std::isnan(actual);
    if (std::isinf(expected) || std::isinf(actual)) return expected == actual;
    return std::abs(actual - expected) <= bound.of(expected);
}

bool agree(const Json& expected, const Json& actual, bool exact, const Bound& bound) {
    if (exact || !isNumber(expected) || !isNumber(actual)) return expected == actual;
    return agree(toNumber(expected), toNumber(actual), bound);
}

using Difference = std::optional<std::string>;

Difference compareElements(const Json& expected, const Json& actual, bool exact, const Bound& bound, const std::string& path) {
    if (!expected.is_array() || !actual.is_array() || expected.size() != actual.size()) {
        return at(path, std::to_string(actual.size()) + " elements instead of " + std::to_string(expected.size()));
    }
    std::size_t differing = 0;
    Difference first;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (agree(expected[i], actual[i], exact, bound)) continue;
        if (differing++ == 0) first = instead(path + '[' + std::to_string(i) + ']', actual[i], expected[i]);
    }
    if (differing > 1) *first += " (and " + std::to_string(differing - 1) + " more of " + std::to_string(expected.size()) + ')';
    return first;
}

Difference compareTensors(const Json& expected, const Json& actual, const Bound& bound, const std::string& path) {
    if (expected["shape"] != actual["shape"]) return instead(at(path, "shape"), actual["shape"], expected["shape"]);
    if (expected["dtype"] != actual["dtype"]) return instead(at(path, "dtype"), actual["dtype"], expected["dtype"]);
    const bool exact = expected["dtype"] != "float32" && expected["dtype"] != "complex64";
    return compareElements(expected["data"], actual["data"], exact, bound, path);
}

Difference compare(const Json& expected, const Json& actual, const Bound& bound, const std::string& path) {
    if (isTensor(expected) && isTensor(actual)) return compareTensors(expected, actual, bound, path);
    if (isTypedArray(expected) && isTypedArray(actual)) {
        if (expected["typed"] != actual["typed"]) return instead(path, actual["typed"], expected["typed"]);
        return compareElements(expected["data"], actual["data"], expected["typed"] != "Float32Array", bound, path);
    }
    if (expected.is_object() && actual.is_object() && !isTensor(expected) && !isTensor(actual)) {
        for (const auto& [name, value] : expected.items()) {
            const std::string inside = path.empty() ? name : path + '.' + name;
            if (!actual.contains(name)) return at(inside, "missing");
            if (auto found = compare(value, actual[name], bound, inside)) return found;
        }
        if (expected.size() != actual.size()) return at(path, "members that were not recorded");
        return {};
    }
    if (expected.is_array() && actual.is_array()) {
        if (expected.size() != actual.size()) {
            return at(path, std::to_string(actual.size()) + " items instead of " + std::to_string(expected.size()));
        }
        for (std::size_t i = 0; i < expected.size(); ++i) {
            if (auto found = compare(expected[i], actual[i], bound, path + '[' + std::to_string(i) + ']')) return found;
        }
        return {};
    }
    if (agree(expected, actual, false, bound)) return {};
    return instead(path, actual, expected);
}

}  // namespace

double Bound::of(double expected) const {
    const double size = std::abs(expected);
    return std::min(absolute + relative * size, 1e-3 + 1e-6 * size);
}

Bound boundOf(std::string_view op) {
    const auto* found = std::ranges::find(looser, op, &LooserBound::op);
    return found == looser.end() ? Bound{} : found->bound;
}

Difference difference(const Json& expected, const Json& actual, const Bound& bound) {
    return compare(expected, actual, bound, "");
}

}  // namespace replay
