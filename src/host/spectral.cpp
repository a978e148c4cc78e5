#include <complex>
#include <vector>

#include "host/elements.hpp"
#include "host/host.hpp"

namespace stile::host {
namespace {

using Number = std::complex<double>;

/// The transform of every `stride`-th number from `first` on: split by the first factor (Cooley and Tukey, 1965).
/// The depth of the recursion is the number of factors, at most 31.
std::vector<Number> transformed(const std::vector<Number>& x, std::size_t first, std::size_t stride,
                                std::span<const int> factors, const std::vector<Number>& roots) {
    if (factors.empty()) return {x[first]};
    const auto radix = static_cast<std::size_t>(factors.front());
    std::vector<std::vector<Number>> parts;
    for (std::size_t t = 0; t < radix; ++t) {
        parts.push_back(transformed(x, first + t * stride, stride * radix, factors.subspan(1), roots));
    }
    const std::size_t length = parts.front().size();
    std::vector<Number> out(length * radix);
    for (std::size_t k = 0; k < out.size(); ++k) {
        for (std::size_t t = 0; t < radix; ++t) out[k] += parts[t][k % length] * roots[k * t * stride % roots.size()];
    }
    return out;
}

}  // namespace

void run(const prim::Fft& what, Operands in, const Operand& out) {
    const auto n = static_cast<std::size_t>(out.shape[-1]);
    const auto number = [](const std::byte* data, std::size_t i) {
        const auto at = static_cast<std::int64_t>(2 * i);
        return Number(get<float>(data, at), get<float>(data, at + 1));
    };
    std::vector<Number> roots(n), row(n);
    for (std::size_t k = 0; k < n; ++k) roots[k] = what.inverse ? std::conj(number(in[1].data, k)) : number(in[1].data, k);
    const double scale = what.inverse ? 1.0 / static_cast<double>(n) : 1.0;
    for (std::size_t start = 0; start < static_cast<std::size_t>(out.shape.size()); start += n) {
        for (std::size_t i = 0; i < n; ++i) row[i] = number(in[0].data, start + i);
        const std::vector<Number> result = transformed(row, 0, 1, what.factors, roots);
        for (std::size_t i = 0; i < n; ++i) {
            const auto at = static_cast<std::int64_t>(2 * (start + i));
            put(out.data, at, static_cast<float>(result[i].real() * scale));
            put(out.data, at + 1, static_cast<float>(result[i].imag() * scale));
        }
    }
}

}  // namespace stile::host
