#include "stile/format.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace stile {
namespace {

constexpr std::size_t mostShown = 20;
constexpr std::size_t shownAtEnds = 3;
constexpr int decimals = 7;

/// The shortest decimal text that reads as the number, as ECMAScript lays it out (ECMA-262, Number::toString): with an exponent from
/// 1e21 on and below 1e-6.
std::string shortest(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
    if (value == 0) return "0";
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, std::abs(value), std::chars_format::scientific).ptr;
    const std::string_view written(text, end);
    const std::size_t e = written.find('e');
    std::string digits(written.substr(0, e));
    std::erase(digits, '.');
    const int exponent = std::atoi(std::string(written.substr(e + 1)).c_str());
    const std::string sign = value < 0 ? "-" : "";
    if (exponent >= 21 || exponent < -6) {
        if (digits.size() > 1) digits.insert(1, 1, '.');
        return sign + fmt::format("{}e{:+}", digits, exponent);
    }
    if (exponent < 0) return sign + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
    const auto whole = static_cast<std::size_t>(exponent) + 1;
    if (digits.size() <= whole) return sign + digits + std::string(whole - digits.size(), '0');
    return sign + digits.insert(whole, 1, '.');
}

/// Rounded to so many decimals, halves away from zero. From the number's exact decimals: printf itself rounds halves to even.
double rounded(double value) {
    if (!(std::abs(value) < 1e21)) return value;
    const std::string exact = fmt::format("{:.160f}", std::abs(value));
    const std::size_t end = exact.find('.') + 1 + decimals;
    double out = std::strtod(exact.substr(0, end).c_str(), nullptr);
    if (exact[end] >= '5') {
        // One unit of the last decimal more, in integers: 0.1 has no exact sum.
        std::string digits = exact.substr(0, end);
        std::size_t i = digits.size();
        while (i > 0) {
            char& digit = digits[--i];
            if (digit == '.') continue;
            if (digit != '9') {
                ++digit;
                break;
            }
            digit = '0';
            if (i == 0) digits.insert(0, 1, '1');
        }
        out = std::strtod(digits.c_str(), nullptr);
    }
    return std::copysign(out, value);
}

std::string text(double value) { return shortest(rounded(value)); }

/// A scalar keeps all its digits, and a string has no quotes.
std::string alone(float value) { return shortest(static_cast<double>(value)); }
std::string alone(std::int32_t value) { return std::to_string(value); }
std::string alone(std::uint8_t value) { return value != 0 ? "true" : "false"; }
std::string alone(std::complex<float> value) {
    return text(static_cast<double>(value.real())) + " + " + text(static_cast<double>(value.imag())) + 'j';
}
std::string alone(const std::string& value) { return value; }

std::string inList(float value) { return text(static_cast<double>(value)); }
std::string inList(const std::string& value) { return "'" + value + "'"; }
template <class T>
std::string inList(const T& value) {
    return alone(value);
}

/// As the reference counts: UTF-16 units, two for what lies beyond the basic plane (four bytes in UTF-8), such as an emoji.
std::size_t width(std::string_view utf8) {
    std::size_t out = 0;
    for (const char c : utf8) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte & 0xC0U) != 0x80U) out += byte >= 0xF0U ? 2 : 1;
    }
    return out;
}

template <class T>
class Writer {
  public:
    Writer(std::span<const std::int64_t> extents, std::span<const T> values) {
        if (extents.size() < 2) return;
        // Every value counts, also those that are left out.
        columns_.resize(static_cast<std::size_t>(extents.back()));
        for (std::size_t i = 0; i < values.size(); ++i) {
            std::size_t& column = columns_[i % columns_.size()];
            column = std::max(column, width(inList(values[i])));
        }
    }

    [[nodiscard]] std::vector<std::string> lines(std::span<const std::int64_t> extents, std::span<const T> values,
                                                 bool last = true) const {
        if (extents.empty()) return {alone(values.front())};
        if (extents.size() == 1) return {row(values)};
        return block(extents, values, last);
    }

  private:
    [[nodiscard]] std::string padded(const T& value, std::size_t column) const {
        std::string out = inList(value);
        if (column < columns_.size()) out.append(columns_[column] - width(out), ' ');
        return out;
    }

    [[nodiscard]] std::string row(std::span<const T> values) const {
        std::string out = "[";
        const bool shortened = values.size() > mostShown;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (shortened && i == shownAtEnds) {
                out += ", ...";
                i = values.size() - shownAtEnds;
            }
            if (i > 0) out += ", ";
            out += padded(values[i], i);
        }
        return out + ']';
    }

    [[nodiscard]] std::vector<std::string> block(std::span<const std::int64_t> extents, std::span<const T> values,
                                                 bool last) const {
        const auto count = static_cast<std::size_t>(extents.front());
        const std::size_t stride = count == 0 ? 0 : values.size() / count;
        std::vector<std::string> out;
        for (std::size_t i = 0; i < count; ++i) {
            if (count > mostShown && i == shownAtEnds) {
                out.emplace_back("...");
                i = count - shownAtEnds;
            }
            const auto inner = lines(extents.subspan(1), values.subspan(i * stride, stride), i + 1 == count);
            out.insert(out.end(), inner.begin(), inner.end());
        }
        const std::string separator = extents.size() == 2 ? "," : "";
        if (out.empty()) out.emplace_back();
        out.front() = count > 0 ? '[' + out.front() + separator : "[";
        for (std::size_t i = 1; i + 1 < out.size(); ++i) out[i] = ' ' + out[i] + separator;
        out.back() = ' ' + out.back() + ']';
        // An empty line more between blocks for each axis more.
        if (!last) out.back() += "," + std::string(extents.size() - 1, '\n');
        return out;
    }

    std::vector<std::size_t> columns_;
};

template <Element T>
std::string written(const NdArray<T>& values, bool verbose) {
    std::string out = "Tensor";
    const std::vector<std::int64_t> extents(values.shape());
    if (verbose) {
        out += fmt::format("\n  dtype: {}\n  rank: {}\n  shape: [{}]\n  values:", name(dtypeOf<T>), extents.size(),
                           fmt::join(extents, ","));
    }
    const Writer<Stored<T>> writer(extents, values.flat());
    for (const std::string& line : writer.lines(extents, values.flat())) out += "\n    " + line;
    return out;
}

}  // namespace

// No template in the header: the names of its instances would begin with the result's type, which src/stile.map does not export.
std::string toString(const NdArray<float>& values, bool verbose) { return written(values, verbose); }
std::string toString(const NdArray<std::int32_t>& values, bool verbose) { return written(values, verbose); }
std::string toString(const NdArray<bool>& values, bool verbose) { return written(values, verbose); }
std::string toString(const NdArray<std::complex<float>>& values, bool verbose) { return written(values, verbose); }
std::string toString(const NdArray<std::string>& values, bool verbose) { return written(values, verbose); }

}  // namespace stile
