#define BOOST_TEST_MODULE spectral
#include <cmath>
#include <complex>
#include <numbers>

#include "values.hpp"

using namespace stile;
using namespace test;
BOOST_TEST_GLOBAL_FIXTURE(ValueDevice);

namespace {

using Complex = std::complex<float>;
using Exact = std::complex<double>;
using Complexes = std::vector<Complex>;

/// Numbers without a pattern, between -1 and 1.
Complexes noise(std::int64_t count) {
    Complexes out;
    std::uint32_t state = 1;
    const auto next = [&state] {
        state = state * 1664525U + 1013904223U;
        return static_cast<float>(state >> 8U) / 8388608.0F - 1.0F;
    };
    for (std::int64_t i = 0; i < count; ++i) {
        const float real = next();
        out.emplace_back(real, next());
    }
    return out;
}

/// By the definition, in double.
Complexes transformed(const Complexes& x, std::size_t n, bool inverse) {
    Complexes out;
    for (std::size_t row = 0; row < x.size(); row += n) {
        for (std::size_t k = 0; k < n; ++k) {
            Exact sum = 0;
            for (std::size_t j = 0; j < n; ++j) {
                const double angle = 2 * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n);
                sum += Exact(x[row + j]) * std::polar(1.0, inverse ? angle : -angle);
            }
            out.emplace_back(inverse ? sum / static_cast<double>(n) : sum);
        }
    }
    return out;
}

/// Within a bound relative to the largest number: that is how the error of the algorithm grows.
void expectClose(const Tensor& x, const Shape& shape, const Complexes& expected) {
    BOOST_TEST(x.shape() == shape);
    const Complexes found = x.dataSync<Complex>();
    BOOST_TEST_REQUIRE(found.size() == expected.size());
    float largest = 0, error = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        largest = std::max(largest, std::abs(expected[i]));
        error = std::max(error, std::abs(found[i] - expected[i]));
        if (!std::isfinite(std::abs(found[i]))) error = infinity;
    }
    BOOST_TEST(error <= 1e-6F * largest);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_length_has_the_transform_of_the_definition) {
    // Powers of two, other small factors, primes, products with a large prime.
    for (const std::int64_t n :
         {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 16, 30, 31, 64, 97, 105, 128, 210, 243, 334, 1000, 1024, 1009}) {
        BOOST_TEST_CONTEXT("length " << n) {
            const Complexes x = noise(3 * n);
            const Tensor t = tensor(x, {3, n});
            expectClose(fft(t), {3, n}, transformed(x, static_cast<std::size_t>(n), false));
            expectClose(ifft(t), {3, n}, transformed(x, static_cast<std::size_t>(n), true));
        }
    }
}

BOOST_AUTO_TEST_CASE(the_inverse_gives_a_long_signal_back) {
    for (const std::int64_t n : {65536, 65537}) {
        const Complexes x = noise(n);
        expectClose(ifft(fft(tensor(x))), {n}, x);
    }
}

BOOST_AUTO_TEST_CASE(leading_axes_and_nothing_at_all) {
    const Complexes x = noise(12);
    expectClose(fft(tensor(x, {2, 2, 3})), {2, 2, 3}, transformed(x, 3, false));
    BOOST_TEST(fft(zeros({0, 4}, DType::complex64)).dataSync<Complex>().empty());
    BOOST_TEST(fft(zeros({4, 0}, DType::complex64)).shape() == Shape(4, 0));
}

BOOST_AUTO_TEST_CASE(real_signals) {
    expectClose(rfft(floats({-3, -2, -1, 1, 2, 3})), {4}, {{0, 0}, {-4, 6.928203F}, {-3, 1.7320508F}, {-4, 0}});
    expectClose(rfft(floats({1, 2, 3}), 2), {2}, {{3, 0}, {-1, 0}});
    expectClose(rfft(floats({1, 2}), 4), {3}, {{3, 0}, {1, -2}, {-1, 0}});
    expectFloats(irfft(rfft(counting({8}) + 1.0F)), {8}, {1, 2, 3, 4, 5, 6, 7, 8}, 1e-6);
    expectFloats(irfft(tensor(Complexes{{1, 0}, {2, 0}})), {2}, {1.5, -0.5});
    expectFloats(irfft(tensor(Complexes{{3, 4}})), {1}, {3});
}

BOOST_AUTO_TEST_CASE(wrong_arguments_throw_at_the_call) {
    expectError(errc::wrong_dtype, {"fft", "float32", "[4]"}, [] { (void)fft(zeros({4})); });
    expectError(errc::invalid_argument, {"ifft", "scalar"}, [] { (void)ifft(complex(Tensor(1.0F), Tensor(0.0F))); });
    expectError(errc::invalid_argument, {"rfft", "length 0"}, [] { (void)rfft(zeros({2, 0})); });
    expectError(errc::wrong_dtype, {"rfft", "complex64"}, [] { (void)rfft(zeros({2}, DType::complex64)); });
    expectError(errc::wrong_dtype, {"irfft", "float32"}, [] { (void)irfft(zeros({2})); });
}
