#define BOOST_TEST_MODULE shape
#include "values.hpp"

#include <algorithm>
#include <array>

using namespace stile;
using namespace test;
BOOST_TEST_GLOBAL_FIXTURE(ValueDevice);

BOOST_AUTO_TEST_CASE(reshapes_keep_the_elements) {
    const Tensor x = computed(counting({2, 3, 4}));
    expectFloats(reshape(x, {4, -1}), {4, 6},
                 {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23});
    expectFloats(sum(reshape(x, {24}) * counting({24})), {}, {4324});
    BOOST_TEST((reshape(zeros({0, 3}), {3, 0}).shape() == Shape{3, 0}));
    BOOST_TEST((reshape(Tensor(3.0F), {1, 1, 1, 1, 1, 1, 1, 1}).shape() == Shape{1, 1, 1, 1, 1, 1, 1, 1}));
    expectFloats(reshape(ones({1, 1}), {}), {}, {1});
    expectFloats(squeeze(expandDims(expandDims(floats({1, 2}), -1), 0)), {2}, {1, 2});
    BOOST_TEST((expandDims(zeros({3}), -2).shape() == Shape{1, 3}));
    BOOST_TEST((squeeze(zeros({1, 2, 1, 3, 1}), {2, -1}).shape() == Shape{1, 2, 3}));
}

BOOST_AUTO_TEST_CASE(axes_are_permuted) {
    expectFloats(transpose(counting({2, 3})), {3, 2}, {0, 3, 1, 4, 2, 5});
    expectFloats(transpose(counting({2, 3, 2}), {1, 0, 2}), {3, 2, 2}, {0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11});
    expectFloats(transpose(counting({2, 1, 2}), {-1, 0, 1}), {2, 2, 1}, {0, 2, 1, 3});
    expectFloats(transpose(Tensor(4.0F)), {}, {4});
    // Eight axes there and back, and a stride worked out by hand.
    const Tensor x = counting({2, 3, 1, 2, 2, 1, 3, 2}, DType::int32);
    const Tensor y = transpose(x, {7, 6, 5, 4, 3, 2, 1, 0});
    BOOST_TEST((y.shape() == Shape{2, 3, 1, 2, 2, 1, 3, 2}));
    expectInts(reshape(slice(y, {1, 2, 0, 1, 1, 0, 2, 0}), {2}), {2}, {71, 143});
    expectBools(all(transpose(y) == x), {}, {1});
}

BOOST_AUTO_TEST_CASE(every_permutation_of_every_kind_of_length) {
    // Multiples of four go in blocks of four by four, and those in tiles; others do not.
    for (const Shape& shape :
         {Shape{4, 8, 12}, Shape{36, 4, 40}, Shape{3, 68, 72}, Shape{132, 1, 36}, Shape{8, 5, 64}, Shape{7, 3, 5}}) {
        const Tensor x = computed(counting(shape, DType::int32));
        std::vector<int> order{0, 1, 2};
        do {
            const Shape to{shape[order[0]], shape[order[1]], shape[order[2]]};
            std::vector<std::int32_t> expected;
            for (std::int64_t i = 0; i < to.size(); ++i) {
                std::array<std::int64_t, 3> at{};
                at[static_cast<std::size_t>(order[0])] = i / (to[1] * to[2]);
                at[static_cast<std::size_t>(order[1])] = i / to[2] % to[1];
                at[static_cast<std::size_t>(order[2])] = i % to[2];
                expected.push_back(static_cast<std::int32_t>((at[0] * shape[1] + at[1]) * shape[2] + at[2]));
            }
            expectInts(transpose(x, order), to, expected);
        } while (std::ranges::next_permutation(order).found);
    }
}

BOOST_AUTO_TEST_CASE(what_moves_rows_moves_rows_of_every_length) {
    for (const std::int64_t n : {1, 2, 3, 4, 6, 8, 16, 20}) {
        const Tensor x = computed(counting({5, n}, DType::int32)), rows = computed(ints({4, 0, 9, 3}));
        std::vector<std::int32_t> gathered, reversed, joined, padded;
        const auto at = [n](std::int64_t row, std::int64_t column) { return static_cast<std::int32_t>(row * n + column); };
        for (const std::int64_t row : {4, 0, 9, 3}) {
            for (std::int64_t i = 0; i < n; ++i) gathered.push_back(row < 5 ? at(row, i) : 0);
        }
        for (std::int64_t row = 0; row < 5; ++row) {
            for (std::int64_t i = n; i-- > 0;) reversed.push_back(at(row, i));
            for (std::int64_t i = 0; i < 3 * n; ++i) joined.push_back(at(row, i % n));
        }
        for (std::int64_t row = -1; row < 6; ++row) {
            for (std::int64_t i = -4; i < n + 4; ++i) padded.push_back(row < 0 || row > 4 || i < 0 || i >= n ? 7 : at(row, i));
        }
        expectInts(gather(x, rows), {4, n}, gathered);
        expectInts(reverse(x, 1), {5, n}, reversed);
        expectInts(concat({x, x, x}, 1), {5, 3 * n}, joined);
        expectInts(tile(x, {1, 3}), {5, 3 * n}, joined);
        expectInts(pad(x, {{1, 1}, {4, 4}}, 7), {7, n + 8}, padded);
        expectInts(slice(computed(pad(x, {{1, 1}, {4, 4}}, 7)), {1, 4}, {5, n}), {5, n}, x.dataSync<std::int32_t>());
        expectInts(slice(computed(pad(x, {{1, 1}, {3, 4}}, 7)), {1, 3}, {5, n}), {5, n}, x.dataSync<std::int32_t>());
        expectInts(stack({computed(reshape(x, {5 * n})), computed(reshape(-x, {5 * n}))}, 1), {5 * n, 2}, [&] {
            std::vector<std::int32_t> turns;
            for (std::int32_t i = 0; i < 5 * n; ++i) turns.insert(turns.end(), {i, -i});
            return turns;
        }());
    }
}

BOOST_AUTO_TEST_CASE(blocks_are_cut_out) {
    const Tensor x = counting({3, 4});
    expectFloats(slice(x, {1, 1}, {2, 2}), {2, 2}, {5, 6, 9, 10});
    expectFloats(slice(x, {1}), {2, 4}, {4, 5, 6, 7, 8, 9, 10, 11});
    expectFloats(slice(x, {0, 2}, {-1, 1}), {3, 1}, {2, 6, 10});
    expectFloats(slice(x, {3, 0}), {0, 4}, {});
    expectFloats(slice(Tensor(2.0F), {}), {}, {2});
}

BOOST_AUTO_TEST_CASE(axes_are_reversed) {
    expectFloats(reverse(counting({2, 3})), {2, 3}, {5, 4, 3, 2, 1, 0});
    expectFloats(reverse(counting({2, 3}), 0), {2, 3}, {3, 4, 5, 0, 1, 2});
    expectFloats(reverse(counting({2, 3}), -1), {2, 3}, {2, 1, 0, 5, 4, 3});
    expectFloats(reverse(counting({2, 2, 2}), {0, 2}), {2, 2, 2}, {5, 4, 7, 6, 1, 0, 3, 2});
    expectFloats(reverse(zeros({0, 2})), {0, 2}, {});
    expectFloats(reverse(Tensor(2.0F)), {}, {2});
}

BOOST_AUTO_TEST_CASE(tiles_and_stretched_axes) {
    expectFloats(tile(floats({1, 2, 3}), {2}), {6}, {1, 2, 3, 1, 2, 3});
    expectInts(tile(counting({2, 2}, DType::int32), {2, 2}), {4, 4}, {0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3});
    expectBools(tile(bools({1, 0}), {2}), {4}, {1, 0, 1, 0});
    expectFloats(tile(floats({1}), {0}), {0}, {});
    expectFloats(broadcastTo(reshape(floats({1, 2}), {2, 1}), {2, 2, 3}), {2, 2, 3}, {1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2});
    expectFloats(broadcastTo(Tensor(4.5F), {3}), {3}, {4.5, 4.5, 4.5});
    expectFloats(broadcastTo(ones({1, 3}), {0, 3}), {0, 3}, {});
    BOOST_TEST((tile(zeros({1, 2, 1, 1, 1, 1, 1, 1}), {3, 1, 1, 2, 1, 1, 1, 5}).shape() == Shape{3, 2, 1, 2, 1, 1, 1, 5}));
}

BOOST_AUTO_TEST_CASE(a_border_is_added) {
    expectFloats(pad(zeros({0, 4}), {{1, 0}, {0, 0}}, 7), {1, 4}, {7, 7, 7, 7});
    expectFloats(pad(floats({1, 2}), {{1, 2}}), {5}, {0, 1, 2, 0, 0});
    expectFloats(pad(counting({2, 2}), {{0, 1}, {1, 0}}, NaN), {3, 3}, {NaN, 0, 1, NaN, 2, 3, NaN, NaN, NaN});
    expectInts(pad(ints({greatestInt}), {{1, 1}}, 10.9), {3}, {10, greatestInt, 10});
    expectBools(pad(bools({0}), {{0, 1}}, 0.5), {2}, {0, 1});
    expectFloats(pad(Tensor(3.0F), {}), {}, {3});
    expectFloats(pad(ones({1, 1, 1, 1, 1, 1, 1, 1}), {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {1, 1}}, 5),
                 {1, 1, 1, 1, 1, 1, 1, 3}, {5, 1, 5});
}

BOOST_AUTO_TEST_CASE(tensors_are_joined) {
    expectFloats(concat({floats({1, 2}), floats({3})}), {3}, {1, 2, 3});
    expectFloats(concat({counting({2, 2}), counting({2, 1}), zeros({2, 0})}, 1), {2, 3}, {0, 1, 0, 2, 3, 1});
    expectFloats(concat({counting({1, 2, 2}), counting({1, 2, 2})}, -1), {1, 2, 4}, {0, 1, 0, 1, 2, 3, 2, 3});
    expectFloats(concat({ints({1}), floats({0.5F}), bools({1})}), {3}, {1, 0.5, 1});
    expectInts(concat({bools({1}), ints({16777217})}), {2}, {1, 16777217});
    expectFloats(stack({floats({1, 2}), floats({3, 4})}), {2, 2}, {1, 2, 3, 4});
    expectFloats(stack({floats({1, 2}), floats({3, 4})}, 1), {2, 2}, {1, 3, 2, 4});
    expectFloats(stack({floats({1, 2}), floats({3, 4})}, -1), {2, 2}, {1, 3, 2, 4});
    expectFloats(stack({Tensor(1.0F), Tensor(2.0F)}), {2}, {1, 2});
    const Tensor x = floats({1, 2});
    expectFloats(concat({x, x, x * 2.0F}), {6}, {1, 2, 1, 2, 2, 4});
}

BOOST_AUTO_TEST_CASE(tensors_are_cut_into_parts) {
    const std::vector<Tensor> halves = split(counting({2, 4}), 2, 1);
    BOOST_REQUIRE_EQUAL(halves.size(), 2U);
    expectFloats(halves[1], {2, 2}, {2, 3, 6, 7});
    const std::vector<Tensor> parts = split(counting({4}), std::vector<std::int64_t>{1, -1, 0});
    BOOST_REQUIRE_EQUAL(parts.size(), 3U);
    expectFloats(parts[1], {3}, {1, 2, 3});
    expectFloats(parts[2], {0}, {});
    const std::vector<Tensor> columns = unstack(counting({2, 3}), -1);
    BOOST_REQUIRE_EQUAL(columns.size(), 3U);
    expectFloats(columns[2], {2}, {2, 5});
    BOOST_TEST(unstack(zeros({0, 3})).empty());
}

BOOST_AUTO_TEST_CASE(bits_are_moved_untouched) {
    const Tensor x = tensor({leastInt, greatestInt, 16777217, -16777217}, DType::int32);
    expectInts(concat({reverse(x), slice(x, {1}, {1})}), {5}, {-16777217, 16777217, greatestInt, leastInt, greatestInt});
    expectFloats(reverse(floats({NaN, -0.0F, infinity, 1e-45F})), {4}, {static_cast<double>(1e-45F), infinity, -0.0, NaN});
}

BOOST_AUTO_TEST_CASE(more_than_65535_groups_are_folded) {
    // One element an invocation, 64 to a group.
    const Tensor x = counting({2049, 2051}, DType::int32);
    const Tensor y = transpose(x);
    expectInts(slice(y, {2050, 2047}), {1, 2}, {2047 * 2051 + 2050, 2048 * 2051 + 2050});
    expectBools(all(transpose(y) == x), {}, {1});
    expectBools(all(slice(pad(x, {{1, 1}, {0, 0}}, -1), {1}, {2049}) == x), {}, {1});
    expectBools(all(reverse(concat({reverse(x, 0), x}), 0) == concat({reverse(x, 0), x})), {}, {1});
}

BOOST_AUTO_TEST_CASE(wrong_arguments_throw_at_the_call) {
    const Tensor x = zeros({2, 3});
    const auto bad = errc::invalid_argument;
    expectError(bad, {"reshape", "[2, 3]", "[4]"}, [&] { (void)reshape(x, {4}); });
    expectError(bad, {"reshape", "-1", "[-1, -1]"}, [&] { (void)reshape(x, {-1, -1}); });
    expectError(bad, {"reshape", "[2, 3]", "[4, -1]"}, [&] { (void)reshape(x, {4, -1}); });
    expectError(bad, {"reshape"}, [&] { (void)reshape(x, {std::int64_t{1} << 40, std::int64_t{1} << 40, -1}); });
    expectError(bad, {"reshape", "8"}, [&] { (void)reshape(x, {1, 1, 1, 1, 1, 1, 1, 2, 3}); });
    expectError(bad, {"expandDims", "axis 3", "[2, 3]"}, [&] { (void)expandDims(x, 3); });
    expectError(bad, {"expandDims", "8"}, [] { (void)expandDims(zeros({1, 1, 1, 1, 1, 1, 1, 1})); });
    expectError(bad, {"squeeze", "axis 0", "[2, 3]"}, [&] { (void)squeeze(x, 0); });
    expectError(bad, {"transpose", "[0, 0]", "[2, 3]"}, [&] { (void)transpose(x, {0, 0}); });
    expectError(bad, {"transpose", "[0]", "[2, 3]"}, [&] { (void)transpose(x, {0}); });
    expectError(bad, {"transpose", "axis 2", "[2, 3]"}, [&] { (void)transpose(x, {0, 2}); });
    expectError(bad, {"slice", "[2, 3]", "[1, 0]", "[2, 1]"}, [&] { (void)slice(x, {1, 0}, {2, 1}); });
    expectError(bad, {"slice", "[2, 3]", "[-1]"}, [&] { (void)slice(x, {-1}); });
    expectError(bad, {"slice", "[2, 3]"}, [&] { (void)slice(x, {0, 0, 0}); });
    expectError(bad, {"slice", "[2, 3]"}, [&] { (void)slice(x, {1}, {std::numeric_limits<std::int64_t>::max()}); });
    expectError(bad, {"slice", "[2, 3]"}, [&] { (void)slice(x, {std::numeric_limits<std::int64_t>::max()}, {1}); });
    expectError(bad, {"reverse", "axis 2", "[2, 3]"}, [&] { (void)reverse(x, 2); });
    expectError(bad, {"tile", "[2]", "[2, 3]"}, [&] { (void)tile(x, {2}); });
    expectError(bad, {"tile", "[1, -1]"}, [&] { (void)tile(x, {1, -1}); });
    expectError(bad, {"tile", "2^31"}, [&] { (void)tile(x, {std::int64_t{1} << 40, std::int64_t{1} << 40}); });
    expectError(bad, {"broadcastTo", "[2, 3]", "[2, 4]"}, [&] { (void)broadcastTo(x, {2, 4}); });
    expectError(bad, {"broadcastTo", "[2, 3]", "[3]"}, [&] { (void)broadcastTo(x, Shape{3}); });
    expectError(bad, {"pad", "1", "[2, 3]"}, [&] { (void)pad(x, {{1, 1}}); });
    expectError(bad, {"pad", "(-1, 0)", "[2, 3]"}, [&] { (void)pad(x, {{-1, 0}, {0, 0}}); });
    expectError(bad, {"pad", "2^31"}, [&] { (void)pad(x, {{std::numeric_limits<std::int64_t>::max(), 1}, {0, 0}}); });
    expectError(bad, {"concat"}, [] { (void)concat({}); });
    expectError(bad, {"concat", "[2, 3]", "[2, 4]", "axis 0"}, [&] { (void)concat({x, zeros({2, 4})}); });
    expectError(bad, {"concat", "[2, 3]", "[2]"}, [&] { (void)concat({x, zeros({2})}); });
    expectError(bad, {"concat", "axis 2", "[2, 3]"}, [&] { (void)concat({x, x}, 2); });
    expectError(bad, {"stack", "[2, 3]", "[3]"}, [&] { (void)stack({x, zeros({3})}); });
    expectError(bad, {"stack"}, [] { (void)stack({}); });
    expectError(bad, {"stack", "axis 4", "[2, 3]"}, [&] { (void)stack({x, x}, 4); });
    expectError(bad, {"split", "[2, 3]", "2"}, [&] { (void)split(x, 2, 1); });
    expectError(bad, {"split", "[2, 3]", "[1, 1]"}, [&] { (void)split(x, std::vector<std::int64_t>{1, 1}, 1); });
    expectError(bad, {"split", "axis 2", "[2, 3]"}, [&] { (void)split(x, 1, 2); });
    expectError(bad, {"unstack", "axis 2", "[2, 3]"}, [&] { (void)unstack(x, 2); });
    expectError(bad, {"unstack", "[]"}, [] { (void)unstack(Tensor(1.0F)); });
}
