#define BOOST_TEST_MODULE large
#include "values.hpp"

#include <cmath>

#include "philox.hpp"

using namespace stile;
using namespace test;
BOOST_TEST_GLOBAL_FIXTURE(ValueDevice);

namespace {

/// 144 MB: more than the 128 MiB that a storage block has to hold, and more than 65,535 groups of 64 invocations of four elements.
constexpr std::int64_t many = 36'000'001;

/// Holds for every element; no values have to travel.
void expectAll(const Tensor& condition) { expectBools(all(condition), {}, {1}); }

/// A tensor that is in memory of its own from the next use on: what is wanted twice is.
Tensor made(const Tensor& x) {
    (void)sum(x).dataSync();
    return x;
}

double valueOf(const Tensor& x) { return static_cast<double>(x.dataSync().front()); }

}  // namespace

BOOST_AUTO_TEST_CASE(more_elements_than_a_storage_block_holds_are_computed_in_parts) {
    const Tensor row = computed(floats({1, 2, 3})), column = computed(reshape(range(0, 12'000'000), {12'000'000, 1}));
    const Tensor x = made(column * 0.0F + row);  // broadcast in every part
    expectFloats(sum(x), {}, {72'000'000});
    expectFloats(max(made(x + x)), {}, {6});
    expectAll(isFinite(x));
    const std::vector<float> ends = slice(reshape(x, {36'000'000}), {35'999'997}).dataSync();
    BOOST_TEST((ends == std::vector<float>{1, 2, 3}));
}

BOOST_AUTO_TEST_CASE(random_numbers_do_not_repeat_from_part_to_part) {
    const std::vector<std::int32_t> x = randomUniformInt({many}, 0, 1 << 30, 5).dataSync<std::int32_t>();
    for (const std::uint32_t i : {0U, 33'554'431U, 33'554'432U, 33'554'433U, 36'000'000U}) {
        BOOST_TEST(x[i] == static_cast<std::int32_t>(std::uint64_t{randomWord(5, i)} * (1U << 30U) >> 32U));
    }
    const Tensor u = randomUniform({many}, 0, 1, 5);
    BOOST_TEST(std::abs(valueOf(mean(made(u))) - 0.5) < 0.0005);
}

BOOST_AUTO_TEST_CASE(values_from_the_host_may_be_large) {
    std::vector<std::int32_t> values(static_cast<std::size_t>(many), 3);
    values.back() = 1;
    const Tensor x = tensor(std::move(values));
    expectInts(sum(x), {}, {3 * 36'000'000 + 1});
    expectInts(min(x - 5), {}, {-4});
}

BOOST_AUTO_TEST_CASE(sums_and_means_of_a_hundred_million_are_accurate) {
    // 10⁸ elements that take no memory, and as many that take 400 MB.
    const Tensor a = computed(fill({10'000, 1}, 0.1F)), b = computed(linspace(0, 1, 10'000));
    double right = 0;
    for (const float v : b.dataSync()) right += 1e4 * static_cast<double>(v + 0.1F);
    BOOST_TEST(std::abs(valueOf(sum(a + b)) - right) < 1e-6 * right);
    BOOST_TEST(std::abs(valueOf(mean(a + b)) - right / 1e8) < 1e-6 * right / 1e8);
    const Tensor tenth = made(fill({100'000'000}, 0.1F) + 0.0F);
    BOOST_TEST(std::abs(valueOf(sum(tenth)) - 1e8 * static_cast<double>(0.1F)) < 1e-6 * 1e7);
    BOOST_TEST(std::abs(valueOf(mean(tenth)) - static_cast<double>(0.1F)) < 1e-7);
}

BOOST_AUTO_TEST_CASE(what_needs_all_of_a_large_tensor_at_once_says_why_it_cannot) {
    const Tensor x = made(fill({40'000'000}, 1) + 0.0F);
    expectError(errc::too_large, {"concat", "[80000000]", "320000000 bytes"}, [&] { (void)max(concat({x, x})).dataSync(); });
}
