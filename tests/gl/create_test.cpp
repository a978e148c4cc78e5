#define BOOST_TEST_MODULE create
#include "values.hpp"

#include <array>
#include <ranges>
#include <span>

using namespace stile;
using namespace test;
BOOST_TEST_GLOBAL_FIXTURE(ValueDevice);

// Each value is taken through a kernel too: the way from the host to the device is part of the test.

BOOST_AUTO_TEST_CASE(nested_lists) {
    expectFloats(tensor({{1, 4}, {9, 16}}), {2, 2}, {1, 4, 9, 16});
    expectFloats(computed(tensor({{{1.5}, {-2}}, {{3}, {4}}})), {2, 2, 1}, {1.5, -2, 3, 4});
    expectBools(computed(tensor({true, false})), {2}, {1, 0});
    expectInts(computed(tensor({16777217, -2.9}, DType::int32)), {2}, {16777217, -2});
    expectBools(tensor({0, 2, 0.5}, DType::boolean), {3}, {0, 1, 1});
    expectFloats(tensor({1, 2, 3, 4}, Shape{2, 2}), {2, 2}, {1, 2, 3, 4});
}

BOOST_AUTO_TEST_CASE(vectors_spans_and_ranges) {
    expectFloats(computed(tensor(std::vector<float>{1, 2})), {2}, {1, 2});
    expectInts(computed(tensor(std::vector<std::int32_t>{1, leastInt}, {2, 1})), {2, 1}, {1, leastInt});
    expectBools(computed(tensor(std::vector<bool>{true, false})), {2}, {1, 0});
    const std::array<float, 3> three{1, 2, 3};
    expectFloats(tensor(std::span(three)), {3}, {1, 2, 3});
    expectInts(tensor(std::views::iota(3, 6)), {3}, {3, 4, 5});
    expectFloats(computed(tensor(NdArray<float>({2}, {1, 2}))), {2}, {1, 2});
    expectBools(computed(tensor(NdArray<bool>({2}, {1, 0}))), {2}, {1, 0});
}

BOOST_AUTO_TEST_CASE(numbers_become_scalars_of_their_type) {
    BOOST_TEST((Tensor(1).dtype() == DType::int32));
    BOOST_TEST((Tensor(1.0).dtype() == DType::float32));
    BOOST_TEST((Tensor(true).dtype() == DType::boolean));
    expectInts(computed(Tensor(greatestInt)), {}, {greatestInt});
    expectFloats(scalar(2.5), {}, {2.5});
    expectInts(scalar(-2.5, DType::int32), {}, {-2});
    expectError(errc::invalid_argument, {"2147483648", "int32"}, [] { (void)Tensor(std::int64_t{2147483648}); });
}

BOOST_AUTO_TEST_CASE(filled_tensors) {
    expectFloats(computed(zeros({2, 2})), {2, 2}, {0, 0, 0, 0});
    expectInts(computed(ones({2}, DType::int32)), {2}, {1, 1});
    expectBools(computed(fill({2}, NaN, DType::boolean)), {2}, {1, 1});
    expectFloats(fill({1, 2}, -infinity), {1, 2}, {-infinity, -infinity});
    expectInts(fill({1}, 3e9, DType::int32), {1}, {-1294967296});
    expectInts(onesLike(ints({4, 5})), {2}, {1, 1});
    expectFloats(zerosLike(zeros({0, 3})), {0, 3}, {});
    expectFloats(ones({1, 1, 1, 1, 1, 1, 1, 1}), {1, 1, 1, 1, 1, 1, 1, 1}, {1});
}

BOOST_AUTO_TEST_CASE(ranges_of_numbers) {
    expectFloats(range(1, 4), {3}, {1, 2, 3});
    expectFloats(range(0, 1, 0.25), {4}, {0, 0.25, 0.5, 0.75});
    expectFloats(range(3, 0, -1), {3}, {3, 2, 1});
    expectFloats(range(0, 3, -1), {0}, {});
    expectInts(computed(range(16777216, 16777219, 1, DType::int32)), {3}, {16777216, 16777217, 16777218});
    expectFloats(linspace(1, 10, 10), {10}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
    expectFloats(linspace(9, 0, 4), {4}, {9, 6, 3, 0});
    expectFloats(linspace(5, 7, 1), {1}, {5});
    expectFloats(eye(2), {2, 2}, {1, 0, 0, 1});
    expectFloats(eye(2, 3), {2, 3}, {1, 0, 0, 0, 1, 0});
    expectBools(computed(eye(2, 1, DType::boolean)), {2, 1}, {1, 0});
    expectFloats(eye(0), {0, 0}, {});
}

BOOST_AUTO_TEST_CASE(wrong_arguments_throw_at_the_call) {
    const auto bad = errc::invalid_argument;
    expectError(bad, {"tensor", "length"}, [] { (void)tensor({{1, 2}, {3}}); });
    expectError(bad, {"tensor", "3 values", "[2, 2]"}, [] { (void)tensor({1, 2, 3}, Shape{2, 2}); });
    expectError(bad, {"tensor", "3 values", "[2]"}, [] { (void)tensor(std::vector<float>{1, 2, 3}, {2}); });
    expectError(bad, {"tensor", "8"}, [] { (void)tensor({{{{{{{{{1}}}}}}}}}); });
    expectError(bad, {"range", "step 0"}, [] { (void)range(0, 1, 0); });
    expectError(bad, {"range"}, [] { (void)range(0, 1e12); });
    expectError(errc::wrong_dtype, {"range", "bool"}, [] { (void)range(0, 1, 1, DType::boolean); });
    expectError(bad, {"linspace", "0"}, [] { (void)linspace(0, 1, 0); });
    expectError(bad, {"eye", "-2"}, [] { (void)eye(-2); });
    expectError(bad, {"shape", "-1"}, [] { (void)zeros({2, -1}); });
    expectError(bad, {"shape", "8 axes"}, [] { (void)zeros({1, 1, 1, 1, 1, 1, 1, 1, 1}); });
    expectError(bad, {"shape", "2^31"}, [] { (void)zeros({1 << 16, 1 << 15}); });
    expectError(bad, {"shape", "2^31"}, [] { (void)zeros({0, std::int64_t{1} << 40}); });
}
