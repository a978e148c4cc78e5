#define BOOST_TEST_MODULE random
#include "values.hpp"

#include <algorithm>
#include <cmath>

#include "philox.hpp"

using namespace stile;
using namespace test;
BOOST_TEST_GLOBAL_FIXTURE(ValueDevice);

namespace {

constexpr std::uint64_t seed = 0x123456789abcdef0U;
constexpr std::int64_t many = 200'001;

struct Sample {
    double mean = 0, variance = 0, skewness = 0, kurtosis = 0;
};
Sample momentsOf(const std::vector<float>& x) {
    Sample m;
    const auto n = static_cast<double>(x.size());
    for (const float v : x) m.mean += static_cast<double>(v) / n;
    double third = 0, fourth = 0;
    for (const float v : x) {
        const double d = static_cast<double>(v) - m.mean;
        m.variance += d * d / n;
        third += d * d * d / n;
        fourth += d * d * d * d / n;
    }
    m.skewness = third / std::pow(m.variance, 1.5);
    m.kurtosis = fourth / (m.variance * m.variance);
    return m;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_reference_generator_gives_the_published_words) {
    BOOST_TEST((philox({0, 0, 0, 0}, {0, 0}) == std::array<std::uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    BOOST_TEST((philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
                std::array<std::uint32_t, 4>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

BOOST_AUTO_TEST_CASE(integers_are_the_same_bits_on_every_driver) {
    // Written down once, so that a change of the generator or of the reference shows.
    expectInts(randomUniformInt({5}, 0, 1000, 0), {5}, {399, 880, 735, 605, 972});
    const std::vector<std::int32_t> x = randomUniformInt({many}, leastInt, greatestInt, seed).dataSync<std::int32_t>();
    const std::vector<std::int32_t> y = randomUniformInt({1001}, -5, 9, seed).dataSync<std::int32_t>();
    bool same = true;
    for (std::uint32_t i = 0; i < many; ++i) {
        const std::uint64_t word = randomWord(seed, i);
        same = same && x[i] == static_cast<std::int32_t>(leastInt + static_cast<std::int64_t>(word * 0xffffffffU >> 32U));
        if (i < y.size()) same = same && y[i] == -5 + static_cast<std::int32_t>(word * 14 >> 32U);
    }
    BOOST_TEST(same);
}

BOOST_AUTO_TEST_CASE(uniform_numbers_are_the_same_bits_on_every_driver) {
    expectFloats(randomUniform({5}, 0, 1, 0), {5},
                 {6694888 * 0x1p-24, 14772677 * 0x1p-24, 12343212 * 0x1p-24, 10158299 * 0x1p-24, 16311500 * 0x1p-24});
    const std::vector<float> x = randomUniform({many}, -0.3F, 0.7F, seed).dataSync();
    bool same = true;
    for (std::uint32_t i = 0; i < many; ++i) {
        const float u = static_cast<float>(randomWord(seed, i) >> 8U) * 0x1p-24F;
        const float width = 0.7F - -0.3F;
        const float scaled = u * width;
        const float value = -0.3F + scaled;
        same = same && x[i] == (value < 0.7F ? value : -0.3F);
    }
    BOOST_TEST(same);
}

BOOST_AUTO_TEST_CASE(an_element_depends_on_the_seed_and_its_position_alone) {
    const std::vector<float> a = randomUniform({1000}, 0, 1, 5).dataSync(), b = randomUniform({10, 10}, 0, 1, 5).dataSync();
    BOOST_TEST(std::equal(b.begin(), b.end(), a.begin()));
    BOOST_TEST(a != randomUniform({1000}, 0, 1, 6).dataSync());
    BOOST_TEST(a != randomUniform({1000}, 0, 1, 5 + (std::uint64_t{1} << 32U)).dataSync());
}

BOOST_AUTO_TEST_CASE(uniform_numbers_stay_in_their_range) {
    const std::vector<float> x = randomUniform({many}, 2, 3, 1).dataSync();
    BOOST_TEST(*std::ranges::min_element(x) >= 2.0F);
    BOOST_TEST(*std::ranges::max_element(x) < 3.0F);
    const Sample m = momentsOf(x);
    BOOST_TEST(std::abs(m.mean - 2.5) < 0.004);
    BOOST_TEST(std::abs(m.variance - 1.0 / 12) < 0.002);
    // Where the spacing of floats is as wide as the range, the upper end is still not reached.
    const std::vector<float> coarse = randomUniform({4000}, 16777216, 16777218, 1).dataSync();
    BOOST_TEST(*std::ranges::max_element(coarse) == 16777216.0F);
    expectFloats(randomUniform({2}, 4, 4, 1), {2}, {4, 4});
}

BOOST_AUTO_TEST_CASE(every_integer_of_the_range_comes_up) {
    const std::vector<std::int32_t> x = randomUniformInt({6000}, -1, 5, 3).dataSync<std::int32_t>();
    for (std::int32_t v = -1; v < 5; ++v) BOOST_TEST(std::abs(std::ranges::count(x, v) - 1000) < 150);
}

BOOST_AUTO_TEST_CASE(normal_numbers_have_the_moments_and_tails_of_a_normal_distribution) {
    const std::vector<float> x = randomNormal({many}, 3, 2, 11).dataSync();
    const Sample m = momentsOf(x);
    BOOST_TEST(std::abs(m.mean - 3) < 0.02);
    BOOST_TEST(std::abs(m.variance - 4) < 0.06);
    BOOST_TEST(std::abs(m.skewness) < 0.03);
    BOOST_TEST(std::abs(m.kurtosis - 3) < 0.06);
    const auto beyond = static_cast<double>(std::ranges::count_if(x, [](float v) { return std::abs(v - 3) > 6; })) / many;
    BOOST_TEST(std::abs(beyond - 0.0027) < 0.0006);
}

BOOST_AUTO_TEST_CASE(normal_numbers_are_the_quantiles_of_the_uniform_ones) {
    // The distribution function of what came out is the number that went in.
    const std::vector<float> x = randomNormal({2000}, 0, 1, seed).dataSync();
    double worst = 0;
    for (std::uint32_t i = 0; i < x.size(); ++i) {
        const double u = (static_cast<double>(randomWord(seed, i) >> 9U) + 0.5) * 0x1p-23;
        worst = std::max(worst, std::abs(0.5 * std::erfc(-static_cast<double>(x[i]) * std::sqrt(0.5)) - u));
    }
    BOOST_TEST(worst < 3e-7);
}

BOOST_AUTO_TEST_CASE(truncated_numbers_stay_within_two_deviations) {
    const std::vector<float> x = truncatedNormal({many}, -1, 0.5F, 11).dataSync();
    BOOST_TEST(*std::ranges::min_element(x) >= -2.0F);
    BOOST_TEST(*std::ranges::max_element(x) <= 0.0F);
    const Sample m = momentsOf(x);
    BOOST_TEST(std::abs(m.mean + 1) < 0.005);
    BOOST_TEST(std::abs(m.variance - 0.25 * 0.7737413) < 0.003);  // 1 - 4 φ(2) / (Φ(2) - Φ(-2))
}

BOOST_AUTO_TEST_CASE(gamma_numbers_have_the_moments_of_a_gamma_distribution) {
    for (const float alpha : {0.3F, 1.0F, 2.0F, 50.0F}) {
        const std::vector<float> x = randomGamma({many}, alpha, 2, 7).dataSync();
        const Sample m = momentsOf(x);
        const auto a = static_cast<double>(alpha);
        BOOST_TEST(*std::ranges::min_element(x) >= 0.0F);
        BOOST_TEST(std::abs(m.mean / (2 * a) - 1) < 0.02);
        BOOST_TEST(std::abs(m.variance / (4 * a) - 1) < 0.04);
        BOOST_TEST(std::abs(m.skewness - 2 / std::sqrt(a)) < 0.15 * (1 + 2 / std::sqrt(a)));
    }
    const Sample whole = momentsOf(cast(randomGamma({many}, 9, 3, 1, DType::int32), DType::float32).dataSync());
    BOOST_TEST(std::abs(whole.mean - 27) < 0.2);
}

BOOST_AUTO_TEST_CASE(draws_follow_the_weights) {
    const auto frequency = [](const Tensor& x, std::int32_t number) {
        const std::vector<std::int32_t> drawn = x.dataSync<std::int32_t>();
        return static_cast<double>(std::ranges::count(drawn, number)) / static_cast<double>(drawn.size());
    };
    const Tensor quarters = multinomial(log(floats({0.25F, 0.5F, 0.25F})), 20'000, 3);
    BOOST_TEST((quarters.shape() == Shape{20'000}));
    BOOST_TEST(std::abs(frequency(quarters, 0) - 0.25) < 0.015);
    BOOST_TEST(std::abs(frequency(quarters, 1) - 0.5) < 0.015);
    BOOST_TEST(std::abs(frequency(quarters, 2) - 0.25) < 0.015);
    BOOST_TEST(std::abs(frequency(multinomial(floats({0.9F, 0.1F}), 20'000, 3, true), 1) - 0.1) < 0.01);
    expectInts(multinomial(tensor({{-1000, 1}, {1, -1000}}), 3, 5), {2, 3}, {1, 1, 1, 0, 0, 0});
    expectInts(multinomial(floats({1, 2}), 0, 5), {0}, {});
    BOOST_TEST(multinomial(floats({1, 2, 3}), 50, 5).dataSync<std::int32_t>() ==
               multinomial(floats({1, 2, 3}), 50, 5).dataSync<std::int32_t>());
    BOOST_TEST(multinomial(floats({1, 2, 3}), 50, 5).dataSync<std::int32_t>() !=
               multinomial(floats({1, 2, 3}), 50, 6).dataSync<std::int32_t>());
}

BOOST_AUTO_TEST_CASE(other_dtypes_are_made_from_the_numbers) {
    const Tensor x = randomNormal({1000}, 0, 3, seed);
    expectBools(all(randomNormal({1000}, 0, 3, seed, DType::int32) == cast(round(x), DType::int32)), {}, {1});
    expectBools(all(randomStandardNormal({1000}, seed) == randomNormal({1000}, 0, 1, seed)), {}, {1});
    expectInts(max(randomUniform({1000}, 0, 3, seed, DType::int32)), {}, {2});
    expectBools(any(randomUniform({1000}, 0, 1, seed, DType::boolean)), {}, {0});
    int calls = 0;
    expectFloats(rand({2, 2}, [&] { return ++calls * 0.5; }), {2, 2}, {0.5, 1, 1.5, 2});
    expectInts(rand({2}, [] { return -1.7; }, DType::int32), {2}, {-1, -1});
    expectBools(rand({1}, [] { return 0.3; }, DType::boolean), {1}, {1});
}

BOOST_AUTO_TEST_CASE(empty_and_wrong_arguments) {
    const auto bad = errc::invalid_argument;
    expectError(errc::wrong_dtype, {"randomNormal", "bool"}, [] { (void)randomNormal({2}, 0, 1, 0, DType::boolean); });
    expectError(bad, {"randomGamma", "alpha 0"}, [] { (void)randomGamma({2}, 0, 1, 0); });
    expectError(bad, {"randomGamma", "beta inf"}, [] { (void)randomGamma({2}, 1, infinity, 0); });
    expectError(bad, {"multinomial", "[1]"}, [] { (void)multinomial(ones({1}), 3, 0); });
    expectError(bad, {"multinomial", "[2, 2, 2]"}, [] { (void)multinomial(ones({2, 2, 2}), 3, 0); });
    expectError(bad, {"multinomial", "-1 samples"}, [] { (void)multinomial(ones({2}), -1, 0); });
    expectFloats(randomNormal({0, 2}, 0, 1, 1), {0, 2}, {});
    expectError(errc::invalid_argument, {"randomUniform", "2", "1"}, [] { (void)randomUniform({2}, 2, 1, 0); });
    expectError(errc::invalid_argument, {"randomUniform"}, [] { (void)randomUniform({2}, -3e38F, 3e38F, 0); });
    expectError(errc::invalid_argument, {"randomUniformInt", "5"}, [] { (void)randomUniformInt({2}, 5, 5, 0); });
    expectError(errc::invalid_argument, {"randomNormal", "-1"}, [] { (void)randomNormal({2}, 0, -1, 0); });
    expectError(errc::invalid_argument, {"truncatedNormal", "nan"}, [] { (void)truncatedNormal({2}, 0, NaN, 0); });
}
