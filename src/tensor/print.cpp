#include <cmath>
#include <iomanip>
#include <ostream>

#include "stile/ndarray.hpp"

namespace stile::detail {
namespace {

constexpr std::size_t shownWhole = 1000;
constexpr std::int64_t edge = 3;

void element(std::ostream& out, float value) {
    // The sign of a NaN means nothing; the stream would print it.
    if (std::isnan(value)) {
        out << "nan";
    } else {
        out << value;
    }
}
void element(std::ostream& out, std::int32_t value) { out << value; }
void element(std::ostream& out, std::uint8_t value) { out << (value ? "true" : "false"); }
void element(std::ostream& out, std::complex<float> value) {
    element(out, value.real());
    // A NaN's sign means nothing here either.
    out << (std::signbit(value.imag()) && !std::isnan(value.imag()) ? "-" : "+");
    element(out, std::abs(value.imag()));
    out << 'j';
}
void element(std::ostream& out, const std::string& value) { out << std::quoted(value); }

// Recursion as deep as the rank, which is at most 8.
template <class T>
void nested(std::ostream& out, std::span<const std::int64_t> extents, std::span<const T> values, bool shorten) {
    if (extents.empty()) {
        element(out, values.front());
        return;
    }
    const std::int64_t count = extents.front();
    const std::size_t step = count == 0 ? 0 : values.size() / static_cast<std::size_t>(count);
    out << '[';
    for (std::int64_t i = 0; i < count; ++i) {
        if (i > 0) out << ", ";
        if (shorten && count > 2 * edge && i == edge) {
            out << "..., ";
            i = count - edge;
        }
        nested(out, extents.subspan(1), values.subspan(static_cast<std::size_t>(i) * step, step), shorten);
    }
    out << ']';
}

}  // namespace

void print(std::ostream& out, std::span<const std::int64_t> extents, std::span<const float> values) {
    nested(out, extents, values, values.size() > shownWhole);
}
void print(std::ostream& out, std::span<const std::int64_t> extents, std::span<const std::int32_t> values) {
    nested(out, extents, values, values.size() > shownWhole);
}
void print(std::ostream& out, std::span<const std::int64_t> extents, std::span<const std::uint8_t> values) {
    nested(out, extents, values, values.size() > shownWhole);
}

void print(std::ostream& out, std::span<const std::int64_t> extents, std::span<const std::complex<float>> values) {
    nested(out, extents, values, values.size() > shownWhole);
}
void print(std::ostream& out, std::span<const std::int64_t> extents, std::span<const std::string> values) {
    nested(out, extents, values, values.size() > shownWhole);
}

}  // namespace stile::detail
