#include "stile/ops/spectral.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <deque>
#include <memory>
#include <mutex>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

#include "ops/check.hpp"
#include "ops/on_host.hpp"
#include "stile/create.hpp"
#include "stile/ops/complex.hpp"
#include "stile/ops/elementwise.hpp"
#include "stile/ops/shape.hpp"

namespace stile {
namespace {

using Numbers = std::vector<std::complex<float>>;

/// exp(i · angle).
std::complex<float> turn(double angle) { return {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))}; }

/// Its factors; empty if there is a prime factor above 7. Four first: two passes of radix 2 in one.
std::vector<int> factorsOf(std::int64_t n) {
    std::vector<int> factors;
    for (const int radix : {4, 7, 5, 3, 2}) {
        for (; n % radix == 0; n /= radix) factors.push_back(radix);
    }
    return n == 1 ? factors : std::vector<int>{};
}

/// Tables for transforms of a length, kept because they take longer to work out than the transform itself. From any thread.
class Tables {
  public:
    using Make = Numbers (*)(std::int64_t n);
    explicit Tables(Make make) : make_(make) {}

    std::shared_ptr<const Numbers> of(std::int64_t n) {
        const std::lock_guard lock(mutex_);
        const auto found = std::ranges::find(kept_, n, &Entry::first);
        if (found != kept_.end()) {
            std::ranges::rotate(kept_.begin(), found, found + 1);
            return kept_.front().second;
        }
        kept_.emplace_front(n, std::make_shared<const Numbers>(make_(n)));
        std::size_t numbers = 0;
        // The ones used last, as far as they fit into 32 MB.
        for (auto each = kept_.begin(); each != kept_.end(); ++each) {
            numbers += each->second->size();
            if (numbers <= std::size_t{1} << 22) continue;
            const std::shared_ptr<const Numbers> wanted = kept_.front().second;
            kept_.erase(each, kept_.end());
            return wanted;
        }
        return kept_.front().second;
    }

  private:
    using Entry = std::pair<std::int64_t, std::shared_ptr<const Numbers>>;
    const Make make_;
    std::mutex mutex_;
    std::deque<Entry> kept_;
};

/// exp(-2πi k / n).
Numbers rootsOf(std::int64_t n) {
    Numbers out;
    out.reserve(static_cast<std::size_t>(n));
    for (std::int64_t k = 0; k < n; ++k) {
        out.push_back(turn(-2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n)));
    }
    return out;
}

/// exp(-πi k² / n); k² modulo 2 n, so that the angle is small.
Numbers chirpOf(std::int64_t n) {
    Numbers out;
    out.reserve(static_cast<std::size_t>(n));
    for (std::int64_t k = 0; k < n; ++k) {
        out.push_back(turn(-std::numbers::pi * static_cast<double>(k * k % (2 * n)) / static_cast<double>(n)));
    }
    return out;
}

Tensor transform(const char* op, const Tensor& x, std::vector<int> factors, bool inverse) {
    static Tables roots(rootsOf);
    const std::int64_t n = x.shape()[-1];
    const auto table = roots.of(n);
    const Tensor turns(detail::hostNode(op, Shape{n}, DType::complex64, table, std::as_bytes(std::span(*table)), nullptr));
    return ops::record(op, detail::prim::Fft{std::move(factors), inverse}, x.shape(), DType::complex64, {x, turns});
}

std::vector<std::pair<std::int64_t, std::int64_t>> behind(const Tensor& x, std::int64_t count) {
    std::vector<std::pair<std::int64_t, std::int64_t>> amounts(static_cast<std::size_t>(x.rank()));
    amounts.back().second = count;
    return amounts;
}

/// The first so many along the last axis.
Tensor first(const Tensor& x, std::int64_t count) {
    std::vector<std::int64_t> size(static_cast<std::size_t>(x.rank()), -1);
    size.back() = count;
    return slice(x, std::vector<std::int64_t>(static_cast<std::size_t>(x.rank()), 0), size);
}

/// With jk = (j² + k² - (k - j)²) / 2 the transform is a convolution with exp(πi k² / n), done by transforms whose length is
/// a power of two.
Tensor bluestein(const char* op, const Tensor& x, bool inverse) {
    const std::int64_t n = x.shape()[-1];
    std::int64_t length = 1;
    while (length < 2 * n - 1) length *= 2;
    const std::vector<int> factors = factorsOf(length);
    static Tables chirps(chirpOf);
    const auto table = chirps.of(n);
    Numbers chirp, filter(static_cast<std::size_t>(length));
    for (std::int64_t k = 0; k < n; ++k) {
        const std::complex<float> forward = (*table)[static_cast<std::size_t>(k)];
        const std::complex<float> turned = inverse ? std::conj(forward) : forward;
        chirp.push_back(turned);
        filter[static_cast<std::size_t>(k)] = std::conj(turned);
        filter[static_cast<std::size_t>((length - k) % length)] = std::conj(turned);
    }
    const Tensor turns = ops::onHost(op, Shape{n}, std::move(chirp));
    const Tensor response = transform(op, ops::onHost(op, Shape{length}, std::move(filter)), factors, false);
    const Tensor spectrum = transform(op, pad(x * turns, behind(x, length - n)), factors, false);
    const Tensor out = first(transform(op, spectrum * response, factors, true), n) * turns;
    return inverse ? out * (1.0F / static_cast<float>(n)) : out;
}

Tensor fourier(const char* op, const Tensor& x, bool inverse) {
    ops::expect(op, "x", x, DType::complex64);
    if (x.rank() == 0) ops::fail(op, "a scalar has no axis to transform along");
    const std::int64_t n = x.shape()[-1];
    if (n < 2) return x;
    const std::vector<int> factors = factorsOf(n);
    return factors.empty() ? bluestein(op, x, inverse) : transform(op, x, factors, inverse);
}

}  // namespace

Tensor fft(const Tensor& x) { return fourier("fft", x, false); }
Tensor ifft(const Tensor& x) { return fourier("ifft", x, true); }

Tensor rfft(const Tensor& x, std::int64_t length) {
    ops::expect("rfft", "x", x, DType::float32);
    if (x.rank() == 0) ops::fail("rfft", "a scalar has no axis to transform along");
    const std::int64_t given = x.shape()[-1], n = length < 0 ? given : length;
    if (n == 0) ops::fail("rfft", "length 0, shape {}", toString(x.shape()));
    const Tensor row = n < given ? first(x, n) : n > given ? pad(x, behind(x, n - given)) : x;
    return first(fourier("rfft", complex(row, zeros(row.shape())), false), n / 2 + 1);
}

Tensor irfft(const Tensor& x) {
    ops::expect("irfft", "x", x, DType::complex64);
    if (x.rank() == 0) ops::fail("irfft", "a scalar has no axis to transform along");
    const std::int64_t m = x.shape()[-1];
    if (m == 0) ops::fail("irfft", "no numbers along the last axis, shape {}", toString(x.shape()));
    if (m < 3) return real(fourier("irfft", x, true));
    // The rest of the spectrum of real numbers mirrors what is given.
    std::vector<std::int64_t> begin(static_cast<std::size_t>(x.rank()), 0), size(static_cast<std::size_t>(x.rank()), -1);
    begin.back() = 1;
    size.back() = m - 2;
    const Tensor inner = reverse(slice(x, begin, size), -1);
    return real(fourier("irfft", concat({x, complex(real(inner), -imag(inner))}, -1), true));
}

}  // namespace stile
