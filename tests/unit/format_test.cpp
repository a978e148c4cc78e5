#define BOOST_TEST_MODULE format
#include <boost/test/unit_test.hpp>

#include <complex>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <stile/format.hpp>

// The layout is that of TensorFlow.js 4.22, src/tensor_format.ts.

using stile::NdArray;
using stile::toString;
using Complex = std::complex<float>;

BOOST_AUTO_TEST_CASE(a_scalar_stands_alone_with_all_its_digits) {
    BOOST_TEST(toString(NdArray<float>({}, {5})) == "Tensor\n    5");
    BOOST_TEST(toString(NdArray<float>({}, {0.1F})) == "Tensor\n    0.10000000149011612");
    BOOST_TEST(toString(NdArray<bool>({}, {1})) == "Tensor\n    true");
    BOOST_TEST(toString(NdArray<std::string>({}, {"hello"})) == "Tensor\n    hello");
    BOOST_TEST(toString(NdArray<Complex>({}, {Complex(5, -6)})) == "Tensor\n    5 + -6j");
}

BOOST_AUTO_TEST_CASE(numbers_in_lists_have_seven_decimals_with_halves_away_from_zero) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    BOOST_TEST(toString(NdArray<float>({5}, {0.1F, -1.991F, 1e-7F, 0.00390625F, -0.00390625F})) ==
               "Tensor\n    [0.1, -1.9910001, 1e-7, 0.0039063, -0.0039063]");
    BOOST_TEST(toString(NdArray<float>({5}, {-0.0F, 1e-9F, NAN, infinity, -infinity})) ==
               "Tensor\n    [0, 0, NaN, Infinity, -Infinity]");
    BOOST_TEST(toString(NdArray<float>({3}, {1e20F, 1e21F, 0.99999999F})) ==
               "Tensor\n    [100000002004087730000, 1.0000000200408773e+21, 1]");
}

BOOST_AUTO_TEST_CASE(columns_stand_below_each_other) {
    BOOST_TEST(toString(NdArray<std::int32_t>({2, 2}, {1, 20, 300, 4})) == "Tensor\n    [[1  , 20],\n     [300, 4 ]]");
    BOOST_TEST(toString(NdArray<std::string>({2, 2}, {"a", "жы", "b", "c"})) == "Tensor\n    [['a', 'жы'],\n     ['b', 'c' ]]");
    BOOST_TEST(toString(NdArray<std::string>({2, 1}, {"🙂", "a"})) == "Tensor\n    [['🙂'],\n     ['a' ]]");
}

BOOST_AUTO_TEST_CASE(blocks_of_more_axes_are_set_apart) {
    BOOST_TEST(toString(NdArray<std::int32_t>({2, 2, 1}, {1, 2, 3, 4})) ==
               "Tensor\n    [[[1],\n      [2]],\n\n     [[3],\n      [4]]]");
}

BOOST_AUTO_TEST_CASE(long_axes_are_shortened) {
    std::vector<std::int32_t> values(63);
    std::iota(values.begin(), values.end(), 0);
    BOOST_TEST(toString(NdArray<std::int32_t>({63}, values)) == "Tensor\n    [0, 1, 2, ..., 60, 61, 62]");
    BOOST_TEST(toString(NdArray<std::int32_t>({21, 3}, values)) ==
               "Tensor\n    [[0 , 1 , 2 ],\n     [3 , 4 , 5 ],\n     [6 , 7 , 8 ],\n     ...,\n     [54, 55, 56],\n"
               "     [57, 58, 59],\n     [60, 61, 62]]");
}

BOOST_AUTO_TEST_CASE(verbose_tells_dtype_rank_and_shape) {
    BOOST_TEST(toString(NdArray<float>({0, 1}, {}), true) ==
               "Tensor\n  dtype: float32\n  rank: 2\n  shape: [0,1]\n  values:\n     []");
}
