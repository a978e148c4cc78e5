#define BOOST_TEST_MODULE scatter
#include "values.hpp"

#include <cmath>

using namespace stile;
using namespace test;
BOOST_TEST_GLOBAL_FIXTURE(ValueDevice);

namespace {

Tensor table(const Nested& values) { return tensor(values, DType::int32); }

/// Once with indices that are known at the call, once with computed ones.
template <class Test>
void eachWay(Test test) {
    test([](const Tensor& x) { return x; });
    test([](const Tensor& x) { return computed(x); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_meets_is_summed) {
    eachWay([](auto as) {
        expectFloats(scatterND(as(table({{0}, {4}, {0}})), floats({1, 2, 3}), {5}), {5}, {4, 0, 0, 0, 2});
        expectInts(scatterND(as(ints({1, 1, 0})), tensor({{1, 2}, {30, 40}, {500, 600}}, DType::int32), {3, 2}), {3, 2},
                   {500, 600, 31, 42, 0, 0});
        expectFloats(scatterND(as(table({{0, 1}, {1, 0}, {0, 1}})), tensor({{1, 2}, {3, 4}, {5, 6}}), {2, 2, 2}), {2, 2, 2},
                     {0, 0, 6, 8, 3, 4, 0, 0});
        expectInts(scatterND(as(table({{{0, 0}, {1, 1}}, {{1, 1}, {0, 1}}})), table({{1, 2}, {3, 4}}), {2, 2}), {2, 2},
                   {1, 4, 0, 5});
        expectBools(scatterND(as(ints({2, 2, 0})), bools({1, 1, 0}), {3}), {3}, {0, 0, 1});
        expectFloats(scatterND(as(ints({1, 0, 1})), floats({infinity, NaN, -infinity}), {3}), {3}, {NaN, NaN, 0});
    });
}

BOOST_AUTO_TEST_CASE(of_updates_that_meet_the_last_stays) {
    eachWay([](auto as) {
        expectFloats(tensorScatterUpdate(counting({5}), as(ints({4, 0, 4})), floats({7, 8, 9})), {5}, {8, 1, 2, 3, 9});
        expectInts(tensorScatterUpdate(ones({2, 3}, DType::int32), as(table({{1, 2}, {0, 0}, {1, 2}})), ints({5, 6, 7})),
                   {2, 3}, {6, 1, 1, 1, 1, 7});
        expectFloats(tensorScatterUpdate(counting({3, 2}), as(table({{2}, {0}})), tensor({{9, NaN}, {8, -0.0}})), {3, 2},
                     {8, -0.0, 2, 3, 9, NaN});
        expectBools(tensorScatterUpdate(bools({1, 1}), as(ints({1})), bools({0})), {2}, {1, 0});
    });
    // Many that race for one place.
    const Tensor rows = zeros({100'000}, DType::int32) * 1;
    expectFloats(tensorScatterUpdate(ones({2}), rows, counting({100'000})), {2}, {99'999, 1});
}

BOOST_AUTO_TEST_CASE(sparse_values_become_dense) {
    eachWay([](auto as) {
        expectInts(sparseToDense(as(ints({0, 2, 4})), Tensor(10), {6}, Tensor(0)), {6}, {10, 0, 10, 0, 10, 0});
        expectFloats(sparseToDense(as(table({{0, 1}, {1, 1}})), floats({5, 6}), {2, 2}, computed(Tensor(1.0F))), {2, 2},
                     {1, 5, 1, 6});
        expectInts(sparseToDense(as(Tensor(2)), Tensor(100), {4}), {4}, {0, 0, 100, 0});
        expectBools(sparseToDense(as(ints({1})), bools({1}), {2}), {2}, {0, 1});
    });
    expectFloats(sparseToDense(zeros({0, 2}, DType::int32), zeros({0}), {1, 2}, Tensor(3.0F)), {1, 2}, {3, 3});
}

BOOST_AUTO_TEST_CASE(rows_of_one_segment_are_summed) {
    expectFloats(unsortedSegmentSum(floats({1, 2, 3, 4}), ints({0, 2, -1, 1}), 3), {3}, {1, 4, 2});
    expectInts(unsortedSegmentSum(table({{1, 2}, {3, 4}, {5, 6}}), ints({1, 9, 1}), 2), {2, 2}, {0, 0, 6, 8});
    expectFloats(unsortedSegmentSum(counting({2, 2, 2}), table({{0, 1}, {1, 0}}), 2), {2, 2}, {6, 8, 6, 8});
    expectInts(unsortedSegmentSum(bools({1, 1, 0}), ints({0, 0, 0}), 1), {1}, {2});
    expectFloats(unsortedSegmentSum(zeros({0, 2}), zeros({0}, DType::int32), 2), {2, 2}, {0, 0, 0, 0});
    expectFloats(unsortedSegmentSum(zeros({2, 0}), ints({0, 1}), 2), {2, 0}, {});
    expectFloats(unsortedSegmentSum(ones({2}), ints({0, 1}), 0), {0}, {});
}

BOOST_AUTO_TEST_CASE(sums_of_many_are_accurate_and_the_same_on_every_run) {
    const std::int64_t n = 300'000;
    const Tensor ids = randomUniformInt({n}, 0, 3, 1), x = fill({n, 2}, 0.1F) * 1.0F;
    const std::vector<float> first = unsortedSegmentSum(x, ids, 3).dataSync();
    const std::vector<float> counts = bincount(ids, Tensor(), 3).dataSync();
    for (std::size_t i = 0; i < first.size(); ++i) {
        const double right = static_cast<double>(counts[i / 2]) * static_cast<double>(0.1F);
        BOOST_TEST(std::abs(static_cast<double>(first[i]) - right) < 2e-6 * right);
    }
    BOOST_TEST(unsortedSegmentSum(x, ids, 3).dataSync() == first);
    // One row takes nearly all, whatever blocks it begins and ends in.
    const Tensor uneven = cast(range(0, 70'000, 1, DType::int32) > 100, DType::int32);
    expectFloats(unsortedSegmentSum(ones({70'000}), uneven, 2), {2}, {101, 69'899});
}

BOOST_AUTO_TEST_CASE(numbers_are_counted_or_their_weights_summed) {
    eachWay([](auto as) {
        const Tensor x = as(ints({1, 1, 1, 2}));
        expectFloats(bincount(x, Tensor(), 3), {3}, {0, 3, 1});
        expectFloats(bincount(x, floats({0.5F, 0.25F, 1, 8}), 2), {2}, {0, 1.75});
        expectInts(bincount(x, ints({16777217, 1, 0, 5}), 3), {3}, {0, 16777218, 5});
        const Tensor rows = as(table({{1, 1}, {1, 2}}));
        expectFloats(denseBincount(rows, Tensor(), 3), {2, 3}, {0, 2, 0, 0, 1, 1});
        expectFloats(denseBincount(rows, Tensor(), 2), {2, 2}, {0, 2, 0, 1});
        expectFloats(denseBincount(rows, floats({}), 3, true), {2, 3}, {0, 1, 0, 0, 1, 1});
        expectFloats(denseBincount(rows, tensor({{2, 3}, {4, 5}}), 3), {2, 3}, {0, 5, 0, 0, 4, 5});
        expectFloats(denseBincount(x, Tensor(), 2), {2}, {0, 3});
    });
    // Counts are exact beyond the integers that float32 adds up, and a computed negative number counts nowhere.
    expectFloats(bincount(zeros({20'000'000}, DType::int32) * 1, Tensor(), 1), {1}, {20'000'000});
    expectFloats(denseBincount(computed(table({{-1, 1}, {-2, 0}})), Tensor(), 2), {2, 2}, {0, 1, 1, 0});
}

BOOST_AUTO_TEST_CASE(nothing_to_put_and_nowhere_to_put_it) {
    expectFloats(scatterND(zeros({0, 1}, DType::int32), zeros({0, 2}), {2, 2}), {2, 2}, {0, 0, 0, 0});
    expectFloats(scatterND(ints({0}), zeros({1, 0}), {2, 0}), {2, 0}, {});
    expectFloats(tensorScatterUpdate(counting({2}), zeros({0, 1}, DType::int32), zeros({0})), {2}, {0, 1});
    expectFloats(scatterND(zeros({2, 0}, DType::int32), tensor({{1, 2}, {3, 4}}), {2}), {2}, {4, 6});
    expectFloats(bincount(zeros({0}, DType::int32), Tensor(), 2), {2}, {0, 0});
}

BOOST_AUTO_TEST_CASE(an_index_outside_throws_where_it_is_known_and_is_left_out_where_not) {
    const auto bad = errc::invalid_argument;
    expectError(bad, {"scatterND", "index 5", "axis 0", "[5]"}, [] { (void)scatterND(ints({0, 5}), ones({2}), {5}); });
    expectError(bad, {"tensorScatterUpdate", "index -1", "axis 1"},
                [] { (void)tensorScatterUpdate(ones({2, 2}), table({{0, -1}}), ones({1})); });
    expectError(bad, {"sparseToDense", "index 6"}, [] { (void)sparseToDense(Tensor(6), Tensor(1), {6}); });
    expectError(bad, {"bincount", "negative number -2"}, [] { (void)bincount(ints({1, -2}), Tensor(), 3); });
    expectFloats(scatterND(computed(ints({0, 5, leastInt, greatestInt})), ones({4}), {5}), {5}, {1, 0, 0, 0, 0});
    // No coordinate makes up for another.
    expectFloats(scatterND(computed(table({{0, 2}, {1, -1}, {1, 1}})), ones({3}), {2, 2}), {2, 2}, {0, 0, 0, 1});
    expectFloats(tensorScatterUpdate(zeros({2}), computed(ints({2, 1})), ones({2})), {2}, {0, 1});
}

BOOST_AUTO_TEST_CASE(wrong_arguments_throw_at_the_call) {
    const auto bad = errc::invalid_argument;
    const Tensor i = table({{0}, {1}});
    expectError(errc::wrong_dtype, {"scatterND", "indices", "float32", "int32"},
                [] { (void)scatterND(ones({2}), ones({2}), {3}); });
    expectError(bad, {"scatterND", "scalar", "[]"}, [] { (void)scatterND(Tensor(1), ones({1}), {3}); });
    expectError(bad, {"scatterND", "updates", "[2, 4]", "[2, 1]", "[3, 5]"}, [&] { (void)scatterND(i, ones({2, 4}), {3, 5}); });
    expectError(bad, {"scatterND", "2 coordinates", "1 axes"}, [] { (void)scatterND(table({{0, 0}}), ones({1}), {3}); });
    expectError(errc::wrong_dtype, {"tensorScatterUpdate", "updates", "int32", "float32"},
                [&] { (void)tensorScatterUpdate(ones({3}), i, ints({1, 2})); });
    expectError(errc::wrong_dtype, {"sparseToDense", "default"},
                [] { (void)sparseToDense(ints({1}), ones({1}), {2}, Tensor(0)); });
    expectError(bad, {"sparseToDense", "[3]", "[4]"}, [] { (void)sparseToDense(ints({0, 1, 2}), ones({4}), {6}); });
    expectError(bad, {"sparseToDense", "2 coordinates", "1 axes"},
                [] { (void)sparseToDense(table({{0, 1}}), ones({1}), {6}); });
    expectError(bad, {"unsortedSegmentSum", "[4]", "[3]"}, [] { (void)unsortedSegmentSum(ones({4}), ints({0, 1, 2}), 3); });
    expectError(bad, {"unsortedSegmentSum", "-1 segments"}, [] { (void)unsortedSegmentSum(ones({1}), ints({0}), -1); });
    expectError(errc::wrong_dtype, {"bincount", "x", "float32"}, [] { (void)bincount(ones({2}), Tensor(), 3); });
    expectError(bad, {"bincount", "size -1"}, [] { (void)bincount(ints({1}), Tensor(), -1); });
    expectError(bad, {"bincount", "weights [2]", "x [4]"}, [] { (void)bincount(ints({1, 1, 1, 2}), ones({2}), 2); });
    expectError(bad, {"denseBincount", "[]"}, [] { (void)denseBincount(Tensor(1), Tensor(), 2); });
}
