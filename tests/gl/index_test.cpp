#define BOOST_TEST_MODULE index
#include "values.hpp"

#include <cstdlib>

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

BOOST_AUTO_TEST_CASE(while_debugging_an_index_outside_is_an_error_that_names_it) {
    ::setenv("STILE_DEBUG", "1", 1);
    const auto bad = errc::invalid_argument;
    const Tensor x = counting({5, 2}), i = computed(tensor({{0, 4}, {7, 1}}, DType::int32));
    expectError(bad, {"gather", "index 7", "position 2", "[2, 2]", "below 5"}, [&] { (void)gather(x, i).dataSync(); });
    expectError(bad, {"scatterND", "index 7", "position 2", "below 6"},
                [&] { (void)scatterND(reshape(i, {4, 1}), ones({4}), {6}).dataSync(); });
    expectFloats(gather(x, minimum(i, 4), 0), {2, 2, 2}, {0, 1, 8, 9, 8, 9, 2, 3});
    ::unsetenv("STILE_DEBUG");
    expectFloats(gather(x, i), {2, 2, 2}, {0, 1, 8, 9, 0, 0, 2, 3});
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

BOOST_AUTO_TEST_CASE(blocks_are_picked_by_coordinates) {
    const Tensor x = counting({2, 3, 2}), rows = tensor({{0, 2}, {1, 1}}, DType::int32);
    for (const Tensor& i : {rows, computed(rows)}) {
        expectFloats(gatherND(x, i), {2, 2}, {4, 5, 8, 9});
        expectFloats(gatherND(x, reshape(i, {2, 1, 2})), {2, 1, 2}, {4, 5, 8, 9});
        expectFloats(gatherND(counting({5}), reshape(i, {4, 1})), {4}, {0, 2, 1, 1});
    }
    expectFloats(gatherND(x, ints({1})), {3, 2}, {6, 7, 8, 9, 10, 11});
    expectInts(gatherND(counting({2, 3, 2}, DType::int32), tensor({{1, 2, 1}}, DType::int32)), {1}, {11});
    expectFloats(gatherND(counting({2}), zeros({2, 0}, DType::int32)), {2, 2}, {0, 1, 0, 1});
    expectFloats(gatherND(x, zeros({0, 2}, DType::int32)), {0, 2}, {});
    expectFloats(gatherND(zeros({2, 0}), ints({0})), {0}, {});
    expectFloats(gatherND(zeros({0, 2}), ints({0})), {2}, {0, 0});
}

BOOST_AUTO_TEST_CASE(every_coordinate_has_its_own_range) {
    const Tensor rows = tensor({{0, 3}, {1, -1}, {-1, 2}, {2, 0}, {1, 2}}, DType::int32);
    for (const Tensor& i : {rows, computed(rows)}) expectFloats(gatherND(counting({2, 3}) + 1.0F, i), {5}, {0, 0, 0, 0, 6});
}

BOOST_AUTO_TEST_CASE(strides_and_masks_of_a_slice) {
    const Tensor x = counting({2, 3, 2}), line = counting({4});
    expectFloats(stridedSlice(line, {-5}, {3}, {2}), {2}, {0, 2});
    expectFloats(stridedSlice(line, {2}, {-4}, {-1}), {2}, {2, 1});
    expectFloats(stridedSlice(line, {-1}, {-9}, {-3}), {2}, {3, 0});
    expectFloats(stridedSlice(line, {3}, {1}), {0}, {});
    expectFloats(stridedSlice(line, {0}, {4}, {std::int64_t{1} << 60}), {1}, {0});
    expectFloats(stridedSlice(line, {9}, {-9}, {std::numeric_limits<std::int64_t>::min()}), {1}, {3});
    expectFloats(stridedSlice(x, {1}, {2}), {1, 3, 2}, {6, 7, 8, 9, 10, 11});
    expectFloats(stridedSlice(x, {-1, -1, -1}, {-3, -4, -3}, {-1, -1, -1}), {2, 3, 2}, {11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0});
    expectFloats(stridedSlice(x, {1, 1}, {2, 2}, {}, {.beginMask = 1, .endMask = 2}), {2, 2, 2}, {2, 3, 4, 5, 8, 9, 10, 11});
    expectFloats(stridedSlice(x, {0, 0}, {0, 0}, {-1, -1}, {.beginMask = 3, .endMask = 3}), {2, 3, 2},
                 {10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1});
    expectFloats(stridedSlice(x, {0, 1}, {0, 2}, {}, {.ellipsisMask = 1}), {2, 3, 1}, {1, 3, 5, 7, 9, 11});
    expectFloats(stridedSlice(x, {1, 0, 0, 1}, {2, 0, 0, 2}, {}, {.ellipsisMask = 2, .newAxisMask = 4, .shrinkAxisMask = 8}),
                 {1, 3, 1}, {7, 9, 11});
    expectFloats(stridedSlice(x, {1, -1}, {0, 0}, {}, {.beginMask = 3, .shrinkAxisMask = 3}), {2}, {10, 11});
    expectInts(stridedSlice(Tensor(7), {0}, {0}, {}, {.newAxisMask = 1}), {1}, {7});
    expectFloats(stridedSlice(zeros({0, 2}), {0}, {5}, {-1}), {0, 2}, {});
    expectFloats(
        stridedSlice(computed(counting({2, 1, 1, 1, 1, 1, 1, 3})), {0, 2}, {0, 0}, {1, -2}, {.endMask = 2, .ellipsisMask = 1}),
        {2, 1, 1, 1, 1, 1, 1, 2}, {2, 0, 5, 3});
    const auto bad = errc::invalid_argument;
    expectError(bad, {"stridedSlice", "lengths", "[0, 0]", "[4]"}, [&] { (void)stridedSlice(line, {0, 0}, {1}); });
    expectError(bad, {"stridedSlice", "more entries", "[4]"}, [&] { (void)stridedSlice(line, {0, 0}, {1, 1}); });
    expectError(bad, {"stridedSlice", "stride of 0"}, [&] { (void)stridedSlice(line, {0}, {1}, {0}); });
    expectError(bad, {"stridedSlice", "ellipsis"}, [&] { (void)stridedSlice(x, {0, 0}, {1, 1}, {}, {.ellipsisMask = 3}); });
    expectError(bad, {"stridedSlice", "index 4", "axis 0"},
                [&] { (void)stridedSlice(line, {4}, {5}, {}, {.shrinkAxisMask = 1}); });
    expectError(bad, {"stridedSlice", "shrunk", "-1"},
                [&] { (void)stridedSlice(line, {1}, {0}, {-1}, {.shrinkAxisMask = 1}); });
}

BOOST_AUTO_TEST_CASE(hundreds_are_added_and_joined) {
    std::vector<Tensor> parts;
    for (int i = 0; i < 300; ++i) parts.push_back(i % 2 == 0 ? fill({2, 3}, i) : counting({2, 3}) * 1.0F);
    expectFloats(addN(parts), {2, 3}, {22350, 22500, 22650, 22800, 22950, 23100});
    expectFloats(max(concat(parts, 1), 1), {2}, {298, 298});
    expectFloats(slice(concat(parts), {598}), {2, 3}, {0, 1, 2, 3, 4, 5});
    expectInts(addN({ints({greatestInt}), ints({1})}), {1}, {leastInt});
    expectFloats(addN({floats({1, 2})}), {2}, {1, 2});
    expectError(errc::invalid_argument, {"addN", "no tensors"}, [] { (void)addN({}); });
    expectError(errc::invalid_argument, {"addN", "[]", "[1]"}, [] { (void)addN({Tensor(1.0F), ones({1})}); });
    expectError(errc::wrong_dtype, {"addN", "float32", "int32"}, [] { (void)addN({Tensor(1), Tensor(2.0F)}); });
}

BOOST_AUTO_TEST_CASE(wrong_arguments_throw_at_the_call) {
    expectError(errc::invalid_argument, {"gatherND", "scalar", "[]"}, [] { (void)gatherND(ones({3}), Tensor(1)); });
    expectError(errc::invalid_argument, {"gatherND", "2 coordinates", "1 axes"},
                [] { (void)gatherND(ones({3}), ints({1, 1})); });
    expectError(errc::wrong_dtype, {"gatherND", "indices", "float32"}, [] { (void)gatherND(ones({3}), ones({1})); });
    const Tensor x = zeros({2, 3}), i = zeros({2, 2}, DType::int32);
    expectError(errc::wrong_dtype, {"gather", "indices", "float32", "int32", "[2]"}, [&] { (void)gather(x, zeros({2})); });
    expectError(errc::invalid_argument, {"gather", "axis 2", "[2, 3]"}, [&] { (void)gather(x, i, 2); });
    expectError(errc::invalid_argument, {"gather", "batchDims 2", "[2, 3]", "[2, 2]"}, [&] { (void)gather(x, i, 1, 2); });
    expectError(errc::invalid_argument, {"gather", "batch axis 0", "[2, 3]", "[3, 2]"},
                [&] { (void)gather(x, zeros({3, 2}, DType::int32), 1, 1); });
    expectError(errc::invalid_argument, {"gather", "[]"}, [&] { (void)gather(Tensor(1.0F), i); });
}
