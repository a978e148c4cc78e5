#define BOOST_TEST_MODULE matmul
#include "values.hpp"

#include <algorithm>
#include <array>

using namespace stile;
using namespace test;
BOOST_TEST_GLOBAL_FIXTURE(ValueDevice);

BOOST_AUTO_TEST_CASE(rows_times_columns) {
    const Tensor a = tensor({{1, 2, 3}, {4, 5, 6}}), b = tensor({{7, 8}, {9, 10}, {11, 12}});
    expectFloats(matMul(a, b), {2, 2}, {58, 64, 139, 154});
    expectFloats(matMul(b, a), {3, 3}, {39, 54, 69, 49, 68, 87, 59, 82, 105});
}

BOOST_AUTO_TEST_CASE(transpose_flags) {
    const Tensor a = tensor({{1, 2, 3}, {4, 5, 6}}), b = tensor({{7, 8}, {9, 10}, {11, 12}});
    const Tensor at = transpose(a), bt = transpose(b);
    expectFloats(matMul(at, b, true), {2, 2}, {58, 64, 139, 154});
    expectFloats(matMul(a, bt, false, true), {2, 2}, {58, 64, 139, 154});
    expectFloats(matMul(at, bt, true, true), {2, 2}, {58, 64, 139, 154});
    expectFloats(matMul(counting({2, 3, 2}), counting({2, 3, 1}), true), {2, 2, 1}, {10, 13, 100, 112});
}

BOOST_AUTO_TEST_CASE(sizes_that_are_no_multiples_of_four) {
    for (const std::int64_t m : {1, 3, 5, 8, 17}) {
        for (const std::int64_t k : {1, 4, 7}) {
            for (const std::int64_t n : {1, 4, 6}) {
                std::vector<double> expected;
                for (std::int64_t i = 0; i < m; ++i) {
                    for (std::int64_t j = 0; j < n; ++j) {
                        double total = 0;
                        for (std::int64_t l = 0; l < k; ++l) total += static_cast<double>((i * k + l) * (l * n + j));
                        expected.push_back(total);
                    }
                }
                expectFloats(matMul(counting({m, k}), counting({k, n})), {m, n}, expected);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(one_program_serves_all_sizes) {
    // zink once took what it had compiled for one length of the inner axis for another.
    expectFloats(matMul(counting({1, 1}), counting({1, 6})), {1, 6}, {0, 0, 0, 0, 0, 0});
    expectFloats(matMul(counting({1, 7}), counting({7, 6})), {1, 6}, {546, 567, 588, 609, 630, 651});
    expectFloats(matMul(counting({1, 5}), counting({5, 6})), {1, 6}, {180, 190, 200, 210, 220, 230});
}

BOOST_AUTO_TEST_CASE(leading_axes_broadcast) {
    const Tensor a = counting({2, 1, 2, 2}), b = counting({3, 2, 1});
    expectFloats(matMul(a, b), {2, 3, 2, 1}, {1, 3, 3, 13, 5, 23, 5, 7, 23, 33, 41, 59});
    expectFloats(matMul(counting({2, 2}), counting({2, 2, 1})), {2, 2, 1}, {1, 3, 3, 13});
    expectFloats(matMul(counting({1, 1, 1, 1, 1, 1, 2, 2}), counting({2, 1})), {1, 1, 1, 1, 1, 1, 2, 1}, {1, 3});
}

BOOST_AUTO_TEST_CASE(large_products_agree_with_the_definition) {
    const std::vector<std::array<std::int64_t, 4>> sizes{
        {1, 200, 160, 132}, {1, 203, 161, 130}, {1, 4100, 32, 36}, {6, 72, 128, 100}};
    for (const auto& [batches, m, k, n] : sizes) {
        // Of the first operand three matrices, each of which meets the two of the second.
        const std::int64_t as = batches > 1 ? 3 : 1, bs = batches / as;
        std::vector<double> expected;
        for (std::int64_t batch = 0; batch < batches; ++batch) {
            for (std::int64_t i = 0; i < m; ++i) {
                for (std::int64_t j = 0; j < n; ++j) {
                    std::int64_t total = 0;
                    for (std::int64_t l = 0; l < k; ++l) {
                        total += (((batch / bs) * m + i) * k + l) % 13 * ((((batch % bs) * k + l) * n + j) % 7);
                    }
                    expected.push_back(static_cast<double>(total));
                }
            }
        }
        const Tensor a = counting({as, 1, m, k}, DType::int32) % Tensor(13), b = counting({bs, k, n}, DType::int32) % Tensor(7);
        expectFloats(matMul(cast(a, DType::float32), cast(b, DType::float32)), {as, bs, m, n}, expected);
        expectInts(matMul(a, b), {as, bs, m, n}, {expected.begin(), expected.end()});
    }
}

BOOST_AUTO_TEST_CASE(fifty_numbers_of_rows_make_one_program) {
    const Device& device = valueDevice();
    const Tensor weights = computed(ones({512, 512}));
    const auto made = [&] { return device.stats().compiled + device.stats().loaded; };
    const auto product = [&](std::int64_t rows) {
        const Tensor y = matMul(computed(ones({rows, 512})), weights);
        BOOST_TEST(y.dataSync().back() == 512.0F);
    };
    product(17);
    const std::int64_t before = made();
    for (std::int64_t rows = 18; rows < 68; ++rows) product(rows);
    BOOST_TEST(made() == before);
}

BOOST_AUTO_TEST_CASE(an_empty_inner_axis_gives_zeros) {
    expectFloats(matMul(zeros({2, 0}), zeros({0, 3})), {2, 3}, {0, 0, 0, 0, 0, 0});
    expectFloats(matMul(zeros({0, 2}), zeros({2, 3})), {0, 3}, {});
    expectFloats(matMul(zeros({2, 3}), zeros({0, 3, 2})), {0, 2, 2}, {});
}

BOOST_AUTO_TEST_CASE(int32_is_exact_and_wraps) {
    expectInts(matMul(tensor({{16777217, 1}}, DType::int32), tensor({{1}, {2}}, DType::int32)), {1, 1}, {16777219});
    expectInts(matMul(tensor({{65536, 3}}, DType::int32), tensor({{65536}, {7}}, DType::int32)), {1, 1}, {21});
    expectFloats(matMul(tensor({{1, 2}}, DType::int32), tensor({{0.5}, {0.25}})), {1, 1}, {1});
}

BOOST_AUTO_TEST_CASE(a_long_inner_axis_is_not_cut) {
    constexpr std::int64_t k = 70001;
    expectFloats(matMul(ones({1, k}), ones({k, 1})), {1, 1}, {k});
    expectFloats(matMul(ones({9, k}), ones({k, 5})), {9, 5}, std::vector<double>(45, k));
    expectInts(matMul(fill({2, k}, 3, DType::int32), fill({k, 4}, 7, DType::int32)), {2, 4},
               std::vector<std::int32_t>(8, 21 * k));
}

BOOST_AUTO_TEST_CASE(nan_and_infinity_stay_in_their_rows) {
    // Neighbouring rows are computed together, and the last quad of a row reaches into the next one.
    const Tensor a = tensor({{1, 2, 3}, {NaN, 1, 1}, {infinity, 0, 0}}), b = ones({3, 2});
    expectFloats(matMul(a, b), {3, 2}, {6, 6, NaN, NaN, infinity, infinity});
    expectFloats(matMul(ones({2, 3}), transpose(a)), {2, 3}, {6, NaN, infinity, 6, NaN, infinity});
    // The same of a product that is computed in large tiles, and one whose operands are padded.
    for (const std::int64_t k : {256, 255}) {
        std::vector<float> values(static_cast<std::size_t>(160 * k), 1);
        values[static_cast<std::size_t>(7 * k)] = NaN;
        values[static_cast<std::size_t>(9 * k - 1)] = infinity;
        std::vector<double> expected(160 * 128, static_cast<double>(k));
        std::fill_n(expected.begin() + 7 * 128, 128, NaN);
        std::fill_n(expected.begin() + 8 * 128, 128, infinity);
        expectFloats(matMul(tensor(values, {160, k}), ones({k, 128})), {160, 128}, expected);
    }
}

BOOST_AUTO_TEST_CASE(wrong_arguments_throw_at_the_call) {
    expectError(errc::invalid_argument, {"matMul", "3", "2", "[2, 3]", "[2, 3]"},
                [] { (void)matMul(zeros({2, 3}), zeros({2, 3})); });
    expectError(errc::invalid_argument, {"matMul", "rank", "[3]", "[3, 2]"}, [] { (void)matMul(zeros({3}), zeros({3, 2})); });
    expectError(errc::invalid_argument, {"matMul", "[2, 3] transposed", "[3, 2]"},
                [] { (void)matMul(zeros({2, 3}), zeros({3, 2}), true); });
    expectError(errc::invalid_argument, {"matMul", "[2, 2, 2]", "[3, 2, 2]"},
                [] { (void)matMul(zeros({2, 2, 2}), zeros({3, 2, 2})); });
    expectError(errc::wrong_dtype, {"matMul", "bool", "[2, 2]"},
                [] { (void)matMul(zeros({2, 2}, DType::boolean), zeros({2, 2}, DType::boolean)); });
}
