#define BOOST_TEST_MODULE scan
#include "values.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>

using namespace stile;
using namespace test;
BOOST_TEST_GLOBAL_FIXTURE(ValueDevice);

namespace {

std::vector<float> someFloats(std::int64_t count, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<float> between(-1, 1);
    std::vector<float> out(static_cast<std::size_t>(count));
    std::ranges::generate(out, [&] { return between(engine); });
    return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(running_sums_and_products_from_either_end_with_and_without_the_element) {
    const Tensor x = floats({1, 2, 3, 4});
    expectFloats(cumsum(x), {4}, {1, 3, 6, 10});
    expectFloats(cumsum(x, 0, {.exclusive = true}), {4}, {0, 1, 3, 6});
    expectFloats(cumsum(x, -1, {.reverse = true}), {4}, {10, 9, 7, 4});
    expectFloats(cumsum(x, 0, {.exclusive = true, .reverse = true}), {4}, {9, 7, 4, 0});
    expectFloats(cumprod(x), {4}, {1, 2, 6, 24});
    expectFloats(cumprod(x, 0, {.exclusive = true}), {4}, {1, 1, 2, 6});
    expectFloats(cumprod(x, 0, {.exclusive = true, .reverse = true}), {4}, {24, 12, 4, 1});
}

BOOST_AUTO_TEST_CASE(a_scan_runs_along_any_axis) {
    const Tensor x = counting({2, 3, 2});
    expectFloats(cumsum(x, 0), {2, 3, 2}, {0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16});
    expectFloats(cumsum(x, 1), {2, 3, 2}, {0, 1, 2, 4, 6, 9, 6, 7, 14, 16, 24, 27});
    expectFloats(cumsum(x, 2), {2, 3, 2}, {0, 1, 2, 5, 4, 9, 6, 13, 8, 17, 10, 21});
    expectFloats(cumsum(counting({1, 2, 1, 1, 2, 1, 1, 2}), 4, {.reverse = true}), {1, 2, 1, 1, 2, 1, 1, 2},
                 {2, 4, 2, 3, 10, 12, 6, 7});
}

BOOST_AUTO_TEST_CASE(integers_wrap_and_bools_count) {
    expectInts(cumsum(ints({greatestInt, 1, 16777217})), {3}, {greatestInt, leastInt, leastInt + 16777217});
    expectInts(cumprod(ints({65536, 65536, 3})), {3}, {65536, 0, 0});
    expectInts(cumsum(bools({1, 0, 1})), {3}, {1, 1, 2});
}

BOOST_AUTO_TEST_CASE(infinity_and_nan_stay_from_where_they_are) {
    expectFloats(cumsum(floats({1, infinity, 2, -infinity, 3})), {5}, {1, infinity, infinity, NaN, NaN});
    expectFloats(cumprod(floats({infinity, 0, 1}), 0, {.exclusive = true}), {3}, {1, infinity, NaN});
    expectFloats(cumsum(floats({1, NaN, 2}), 0, {.exclusive = true}), {3}, {0, 1, NaN});
}

BOOST_AUTO_TEST_CASE(four_elements_at_a_time_of_a_line_or_of_four_lines) {
    for (const auto& [extent, inner] : {std::pair{8, 1}, {10, 1}, {260, 1}, {5000, 1}, {3, 4}, {70, 8}, {4200, 4}, {5, 3}}) {
        const Tensor x = computed(counting({2, extent, inner}, DType::int32) % 1000);
        const std::vector<std::int32_t> values = x.dataSync<std::int32_t>();
        for (const bool exclusive : {false, true}) {
            for (const bool reverse : {false, true}) {
                std::vector<std::int32_t> expected(values.size());
                for (int line = 0; line < 2 * inner; ++line) {
                    std::int32_t total = 0;
                    for (int k = 0; k < extent; ++k) {
                        const int step = reverse ? extent - 1 - k : k;
                        const auto at = static_cast<std::size_t>((line / inner * extent + step) * inner + line % inner);
                        expected[at] = exclusive ? total : total + values[at];
                        total += values[at];
                    }
                }
                expectInts(cumsum(x, 1, {.exclusive = exclusive, .reverse = reverse}), x.shape(), expected);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(a_long_line_is_scanned_in_chunks_of_chunks) {
    for (const bool reverse : {false, true}) {
        for (const bool exclusive : {false, true}) {
            const Tensor y = cumsum(ones({2, 70000, 3}, DType::int32) * 1, 1, {.exclusive = exclusive, .reverse = reverse});
            Tensor expected = range(exclusive ? 0 : 1, exclusive ? 70000 : 70001, 1, DType::int32);
            if (reverse) expected = stile::reverse(expected);
            expectBools(all(y == reshape(expected, {70000, 1})), {}, {1});
        }
    }
}

BOOST_AUTO_TEST_CASE(rounding_errors_do_not_grow_with_the_line) {
    const std::vector<float> y = cumsum(fill({1'000'000}, 0.1F) * 1.0F).dataSync();
    double worst = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        const double right = static_cast<double>(0.1F) * static_cast<double>(i + 1);
        worst = std::max(worst, std::abs(static_cast<double>(y[i]) - right) / right);
    }
    BOOST_TEST(worst < 2e-6);
}

BOOST_AUTO_TEST_CASE(the_largest_come_first_and_of_equals_the_one_before) {
    const auto [values, indices] = topk(floats({1, 3, 3, 2}), 3);
    expectFloats(values, {3}, {3, 3, 2});
    expectInts(indices, {3}, {1, 2, 3});
    const TopK rows = topk(tensor({{16777216, 16777217, leastInt}, {greatestInt, 0, greatestInt}}, DType::int32), 2);
    expectInts(rows.indices, {2, 2}, {1, 0, 0, 2});
    expectInts(topk(floats({-0.0F, 0, -infinity, infinity}), 4).indices, {4}, {3, 0, 1, 2});
    expectInts(topk(bools({0, 1, 1}), 2).indices, {2}, {1, 2});
    expectBools(topk(bools({0, 1, 1}), 3).values, {3}, {1, 1, 0});
}

BOOST_AUTO_TEST_CASE(nans_are_the_last) {
    const auto [values, indices] = topk(floats({NaN, 1, NaN, -infinity}), 4);
    expectFloats(values, {4}, {1, -infinity, NaN, NaN});
    expectInts(indices, {4}, {1, 3, 0, 2});
}

BOOST_AUTO_TEST_CASE(unsorted_ones_stand_as_in_the_tensor) {
    const auto [values, indices] = topk(floats({4, 1, 3, 5, 2}), 3, false);
    expectFloats(values, {3}, {4, 3, 5});
    expectInts(indices, {3}, {0, 2, 3});
    expectInts(topk(tensor({{2, 1}, {1, 2}}), 2, false).indices, {2, 2}, {0, 1, 0, 1});
}

BOOST_AUTO_TEST_CASE(any_number_of_the_largest) {
    // Many equals, and lengths that fill no power of two.
    for (const std::int64_t n : {1, 31, 32, 33, 1000, 5003}) {
        std::vector<float> x = someFloats(2 * n, static_cast<unsigned>(n));
        for (float& v : x) v = std::round(v * 100);
        for (const std::int64_t k : {std::int64_t{0}, std::int64_t{1}, n / 20, n / 2, n}) {
            const auto [values, indices] = topk(tensor(x, {2, n}), k);
            std::vector<std::int32_t> expected;
            for (std::int64_t row = 0; row < 2; ++row) {
                std::vector<std::int32_t> order(static_cast<std::size_t>(n));
                std::iota(order.begin(), order.end(), 0);
                std::ranges::stable_sort(order, std::greater{},
                                         [&](std::int32_t i) { return x[static_cast<std::size_t>(row * n + i)]; });
                expected.insert(expected.end(), order.begin(), order.begin() + k);
            }
            BOOST_TEST((indices.shape() == Shape{2, k}));
            BOOST_TEST(indices.dataSync<std::int32_t>() == expected);
            BOOST_TEST((values.shape() == Shape{2, k}));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_value_is_put_before_or_behind_its_equals) {
    const Tensor rows = tensor({{0, 3, 9, 9, 10}, {1, 2, 3, 4, 5}}), values = tensor({{2, 4, 9}, {0, 2, 6}});
    expectInts(searchSorted(rows, values), {2, 3}, {1, 2, 2, 0, 1, 5});
    expectInts(searchSorted(rows, values, Side::right), {2, 3}, {1, 2, 4, 0, 2, 5});
    expectInts(lowerBound(ints({1, 2, 3}), floats({2.5F, -infinity, infinity, NaN})), {1, 4}, {2, 0, 3, 0});
    expectInts(upperBound(ints({16777216, 16777217}), ints({16777216})), {1, 1}, {1});
    expectInts(upperBound(zeros({2, 0}), zeros({2, 2})), {2, 2}, {0, 0, 0, 0});
    expectInts(lowerBound(zeros({1, 1, 2}), zeros({1, 0})), {1, 0}, {});
}

BOOST_AUTO_TEST_CASE(nothing_to_scan_or_to_order) {
    expectFloats(cumsum(zeros({2, 0}), 1), {2, 0}, {});
    expectInts(topk(zeros({3, 0}), 0).indices, {3, 0}, {});
    expectInts(topk(zeros({0, 3}), 2).indices, {0, 2}, {});
}

BOOST_AUTO_TEST_CASE(wrong_arguments_throw_at_the_call) {
    const Tensor x = zeros({2, 3});
    expectError(errc::invalid_argument, {"cumsum", "axis 2", "[2, 3]"}, [&] { (void)cumsum(x, 2); });
    expectError(errc::invalid_argument, {"cumprod", "axis 0", "[]"}, [] { (void)cumprod(Tensor(1.0F)); });
    expectError(errc::invalid_argument, {"topk", "k 4", "[2, 3]"}, [&] { (void)topk(x, 4); });
    expectError(errc::invalid_argument, {"topk", "k -1"}, [&] { (void)topk(x, -1); });
    expectError(errc::invalid_argument, {"topk", "scalar"}, [] { (void)topk(Tensor(1.0F)); });
    expectError(errc::invalid_argument, {"searchSorted", "rows", "[2, 3]", "[3, 1]"},
                [&] { (void)searchSorted(x, zeros({3, 1})); });
    expectError(errc::invalid_argument, {"lowerBound", "scalar", "[]"}, [&] { (void)lowerBound(x, Tensor(1.0F)); });
    expectError(errc::invalid_argument, {"upperBound", "scalar"}, [&] { (void)upperBound(Tensor(1.0F), x); });
}
