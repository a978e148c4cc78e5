#define BOOST_TEST_MODULE index
#include "values.hpp"

using namespace stile;
using namespace test;
BOOST_TEST_GLOBAL_FIXTURE(ValueDevice);

BOOST_AUTO_TEST_CASE(rows_and_columns_are_picked) {
    const Tensor x = counting({3, 2});
    expectFloats(gather(x, ints({2, 0, 2})), {3, 2}, {4, 5, 0, 1, 4, 5});
    expectFloats(gather(x, ints({1, 0}), 1), {3, 2}, {1, 0, 3, 2, 5, 4});
    expectFloats(gather(x, ints({1}), -1), {3, 1}, {1, 3, 5});
    expectFloats(gather(x, Tensor(1)), {2}, {2, 3});
    expectFloats(gather(floats({7, 8, 9}), tensor({{0, 1}, {2, 2}}, DType::int32)), {2, 2}, {7, 8, 9, 9});
    expectFloats(gather(counting({2, 2, 2}), ints({1, 0, 0}), 1), {2, 3, 2}, {2, 3, 0, 1, 0, 1, 6, 7, 4, 5, 4, 5});
}

BOOST_AUTO_TEST_CASE(batch_axes_go_together) {
    const Tensor x = counting({2, 3}), i = tensor({{0, 2}, {1, 1}}, DType::int32);
    expectFloats(gather(x, i, 1, 1), {2, 2}, {0, 2, 4, 4});
    expectFloats(gather(x, i, 1, -1), {2, 2}, {0, 2, 4, 4});
    expectFloats(gather(counting({2, 2, 3}), i, 2, 1), {2, 2, 2}, {0, 2, 3, 5, 7, 7, 10, 10});
}

BOOST_AUTO_TEST_CASE(an_index_outside_gives_zero) {
    expectFloats(gather(floats({5, 6}), ints({-1, 0, 1, 2, greatestInt, leastInt})), {6}, {0, 5, 6, 0, 0, 0});
}

BOOST_AUTO_TEST_CASE(every_dtype_and_bit_pattern) {
    expectInts(gather(ints({16777217, leastInt}), ints({1, 0})), {2}, {leastInt, 16777217});
    expectBools(gather(bools({1, 0}), ints({0, 0, 1})), {3}, {1, 1, 0});
    expectFloats(gather(floats({NaN, -0.0F}), ints({1, 0})), {2}, {-0.0, NaN});
}

BOOST_AUTO_TEST_CASE(nothing_picked_or_nothing_to_pick_from) {
    expectFloats(gather(counting({3, 2}), zeros({0}, DType::int32)), {0, 2}, {});
    expectFloats(gather(zeros({0}), ints({0, 1})), {2}, {0, 0});
}

BOOST_AUTO_TEST_CASE(wrong_arguments_throw_at_the_call) {
    const Tensor x = zeros({2, 3}), i = zeros({2, 2}, DType::int32);
    expectError(errc::wrong_dtype, {"gather", "indices", "float32", "int32", "[2]"}, [&] { (void)gather(x, zeros({2})); });
    expectError(errc::invalid_argument, {"gather", "axis 2", "[2, 3]"}, [&] { (void)gather(x, i, 2); });
    expectError(errc::invalid_argument, {"gather", "batchDims 2", "[2, 3]", "[2, 2]"}, [&] { (void)gather(x, i, 1, 2); });
    expectError(errc::invalid_argument, {"gather", "batch axis 0", "[2, 3]", "[3, 2]"},
                [&] { (void)gather(x, zeros({3, 2}, DType::int32), 1, 1); });
    expectError(errc::invalid_argument, {"gather", "[]"}, [&] { (void)gather(Tensor(1.0F), i); });
}
