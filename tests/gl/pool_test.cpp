#define BOOST_TEST_MODULE pool
#include "values.hpp"

using namespace stile;
using namespace test;
BOOST_TEST_GLOBAL_FIXTURE(ValueDevice);

BOOST_AUTO_TEST_CASE(the_largest_of_each_window) {
    const Tensor x = tensor({1, 2, 3, 4, 5, 6, 7, 9, 8}, Shape{3, 3, 1});
    expectFloats(maxPool(x, 2), {2, 2, 1}, {5, 6, 9, 9});
    expectFloats(maxPool(x, 2, {.strides = 2, .padding = Padding::same()}), {2, 2, 1}, {5, 6, 9, 8});
    expectFloats(maxPool(x, {1, 3}), {3, 1, 1}, {3, 6, 9});
    expectInts(
        maxPool(tensor({16777217, 16777216, leastInt, -5}, DType::int32).reshape({1, 2, 2, 1}), {1, 2}, {.strides = {1, 2}}),
        {1, 2, 1, 1}, {16777217, -5});
}

BOOST_AUTO_TEST_CASE(the_mean_of_each_window) {
    const Tensor x = tensor({1, 2, 3, 4, 5, 6, 7, 9, 8}, Shape{3, 3, 1});
    expectFloats(avgPool(x, 2), {2, 2, 1}, {3, 4, 6.25, 7});
    expectFloats(avgPool(counting({2, 2, 2, 2}), 2), {2, 1, 1, 2}, {3, 4, 11, 12});
}

BOOST_AUTO_TEST_CASE(padding_counts_neither_in_maximum_nor_in_mean) {
    const Tensor x = fill({1, 3, 3, 1}, -5) + 0.0F;
    expectFloats(maxPool(x, 3, {.padding = Padding::same()}), {1, 3, 3, 1}, std::vector<double>(9, -5));
    expectFloats(avgPool(x, 3, {.padding = Padding::same()}), {1, 3, 3, 1}, std::vector<double>(9, -5));
    expectFloats(avgPool(tensor({1, 2, 3, 4}, Shape{1, 2, 2, 1}), 2, {.strides = 2, .padding = Padding::amounts(1, 1, 1, 1)}),
                 {1, 2, 2, 1}, {1, 2, 3, 4});
}

BOOST_AUTO_TEST_CASE(nan_and_infinity) {
    const Tensor x = tensor({NaN, 1, 2, 3, -infinity, -infinity, 5, infinity}, Shape{1, 2, 4, 1});
    expectFloats(maxPool(x, {1, 2}, {.strides = {1, 2}}), {1, 2, 2, 1}, {1, 3, -infinity, infinity});
    expectFloats(maxPool(tensor({NaN, NaN}, Shape{1, 2, 1}), {1, 2}), {1, 1, 1}, {-infinity});
    expectFloats(avgPool(x, {1, 2}, {.strides = {1, 2}}), {1, 2, 2, 1}, {NaN, 2.5, -infinity, infinity});
}

BOOST_AUTO_TEST_CASE(windows_may_have_gaps) {
    const Tensor x = counting({1, 3, 4, 1});
    expectFloats(pool(x, 2, Pooling::max, {.dilations = 2}), {1, 1, 2, 1}, {10, 11});
    expectFloats(pool(x, 2, Pooling::average, {.dilations = {2, 3}}), {1, 1, 1, 1}, {5.5});
    expectFloats(pool(x, {1, 2}, Pooling::average, {.padding = Padding::same(), .dilations = {1, 2}}), {1, 3, 4, 1},
                 {1, 1, 2, 2, 5, 5, 6, 6, 9, 9, 10, 10});
}

BOOST_AUTO_TEST_CASE(windows_over_volumes) {
    const Tensor x = counting({2, 2, 3, 1});
    expectFloats(maxPool3d(x, 2), {1, 1, 2, 1}, {10, 11});
    expectFloats(avgPool3d(x, {1, 2, 3}), {2, 1, 1, 1}, {2.5, 8.5});
    expectFloats(avgPool3d(expandDims(x), 2, {.strides = 2, .padding = Padding::same()}), {1, 1, 1, 2, 1}, {5, 6.5});
    expectFloats(maxPool3d(x, 2, {.padding = Padding::amounts(1, 0, 0, 0, 0, 0)}), {2, 1, 2, 1}, {4, 5, 10, 11});
    expectFloats(maxPool3d(x, {2, 1, 2}, {.dilations = {1, 1, 2}}), {1, 2, 1, 1}, {8, 11});
    expectFloats(maxPool3d(reshape(x, {1, 1, 2, 2, 3}), 2, {.format = DataFormat::nchw}), {1, 1, 1, 1, 2}, {10, 11});
    expectFloats(avgPool3d(tensor({1, NaN, 3, 4}, Shape{2, 1, 2, 1}), {2, 1, 1}), {1, 1, 2, 1}, {2, NaN});
    expectInts(maxPool3d(cast(x, DType::int32), {2, 2, 3}), {1, 1, 1, 1}, {11});
}

BOOST_AUTO_TEST_CASE(the_largest_and_where_it_is) {
    const Tensor x = tensor({5, 1, 7, 2, 7, 3, 0, 4, 6, 6, 9, 9, 8, 8, 6, 6}, Shape{2, 2, 2, 2});
    MaxPoolWithArgmax p = maxPoolWithArgmax(x, 2);
    expectFloats(p.result, {2, 1, 1, 2}, {7, 4, 9, 9});
    expectInts(p.indexes, {2, 1, 1, 2}, {2, 7, 2, 3});
    expectInts(maxPoolWithArgmax(x, 2, {}, true).indexes, {2, 1, 1, 2}, {2, 7, 10, 11});
    p = maxPoolWithArgmax(tensor({NaN, -infinity, NaN, NaN}, Shape{1, 1, 4, 1}), {1, 2}, {.strides = {1, 2}});
    expectFloats(p.result, {1, 1, 2, 1}, {-infinity, -infinity});
    expectInts(p.indexes, {1, 1, 2, 1}, {1, -1});
    const Tensor many = concat({zeros({1, 1, 35000, 1}, DType::int32), ones({1, 1, 35000, 1}, DType::int32)}, 0);
    expectInts(maxPoolWithArgmax(reshape(many, {1, 1, 70000, 1}), {1, 70000}, {}, true).indexes, {1, 1, 1, 1}, {35000});
    expectInts(maxPoolWithArgmax(counting({2, 200, 200, 1}), 200, {}, true).indexes, {2, 1, 1, 1}, {39999, 79999});
}

BOOST_AUTO_TEST_CASE(windows_beyond_65535_positions_are_not_cut) {
    const Tensor x = counting({1, 300, 300, 1});
    expectFloats(maxPool(x, 300), {1, 1, 1, 1}, {89999});
    expectFloats(maxPool(counting({1, 1, 70000, 1}), {1, 70000}), {1, 1, 1, 1}, {69999});
    expectFloats(avgPool(ones({1, 300, 300, 1}), 300), {1, 1, 1, 1}, {1});
    expectFloats(avgPool(concat({zeros({1, 1, 35000, 1}), fill({1, 1, 35000, 1}, 2)}, 2), {1, 70000}), {1, 1, 1, 1}, {1});
    expectInts(maxPool(counting({1, 70000, 1, 1}, DType::int32), {70000, 1}), {1, 1, 1, 1}, {69999});
}

BOOST_AUTO_TEST_CASE(channels_four_at_a_time_are_what_they_are_one_by_one) {
    const Tensor x = computed(round(randomUniform({2, 5, 7, 8}, -9, 9, 3)));
    const PoolOptions options{.strides = {1, 2}, .padding = Padding::same()};
    for (int c = 0; c < 8; ++c) {
        const auto channel = [c](const Tensor& y) { return computed(slice(y, {0, 0, 0, c}, {-1, -1, -1, 1})); };
        const Tensor one = channel(x);
        expectBools(all(channel(maxPool(x, {3, 2}, options)) == maxPool(one, {3, 2}, options)), {}, {1});
        expectBools(all(channel(avgPool(x, {3, 2}, options)) == avgPool(one, {3, 2}, options)), {}, {1});
        const Tensor ints = cast(x, DType::int32), oneInt = cast(one, DType::int32);
        expectBools(all(channel(maxPool(ints, 2, options)) == maxPool(oneInt, 2, options)), {}, {1});
        // The place of a channel's largest among eight channels, and alone.
        const Tensor places = channel(maxPoolWithArgmax(x, 2, options).indexes);
        expectBools(all(places == maxPoolWithArgmax(one, 2, options).indexes * 8 + c), {}, {1});
    }
    const Tensor wide = computed(counting({1, 300, 300, 4}, DType::int32)), real = cast(wide, DType::float32);
    expectInts(maxPool(wide, 300), {1, 1, 1, 4}, {359996, 359997, 359998, 359999});
    expectFloats(avgPool(real * 0.0F + 2.0F, 300), {1, 1, 1, 4}, {2, 2, 2, 2});
    expectInts(maxPoolWithArgmax(-real, 300).indexes, {1, 1, 1, 4}, {0, 1, 2, 3});
    expectInts(maxPoolWithArgmax(real, 300).indexes, {1, 1, 1, 4}, {359996, 359997, 359998, 359999});
}

BOOST_AUTO_TEST_CASE(empty_results) {
    expectFloats(maxPool(ones({1, 2, 2, 3}), 3), {1, 0, 0, 3}, {});
    expectFloats(avgPool(zeros({0, 2, 2, 3}), 2), {0, 1, 1, 3}, {});
}

BOOST_AUTO_TEST_CASE(wrong_arguments_throw_at_the_call) {
    const Tensor x = zeros({1, 4, 4, 3});
    expectError(errc::invalid_argument, {"maxPool", "[4, 4]"}, [] { (void)maxPool(zeros({4, 4}), 2); });
    expectError(errc::invalid_argument, {"avgPool", "[4]"}, [] { (void)avgPool(zeros({4}), 2); });
    expectError(errc::invalid_argument, {"maxPool", "window", "0"}, [&] { (void)maxPool(x, 0); });
    expectError(errc::invalid_argument, {"avgPool", "strides", "0"}, [&] { (void)avgPool(x, 2, {.strides = 0}); });
    expectError(errc::invalid_argument, {"maxPool", "strides 2", "dilations 3"},
                [&] { (void)maxPool(x, 2, {.strides = 2, .dilations = 3}); });
    expectError(errc::invalid_argument, {"avgPool3d", "[4, 4, 3]"}, [] { (void)avgPool3d(zeros({4, 4, 3}), 2); });
    expectError(errc::invalid_argument, {"maxPoolWithArgmax", "[4, 4, 3]"},
                [] { (void)maxPoolWithArgmax(zeros({4, 4, 3}), 2); });
    expectError(errc::invalid_argument, {"maxPool", "rounding", "[1, 4, 4, 3]"},
                [&] { (void)maxPool(x, 2, {.padding = Padding::same(), .rounding = Rounding::round}); });
    expectError(errc::wrong_dtype, {"avgPool", "[4, 4, 1]", "int32"}, [] { (void)avgPool(zeros({4, 4, 1}, DType::int32), 2); });
    expectError(errc::wrong_dtype, {"maxPool", "bool"}, [] { (void)maxPool(zeros({4, 4, 1}, DType::boolean), 2); });
}
