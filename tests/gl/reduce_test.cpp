#define BOOST_TEST_MODULE reduce
#include "values.hpp"

#include <cmath>

using namespace stile;
using namespace test;
BOOST_TEST_GLOBAL_FIXTURE(ValueDevice);

BOOST_AUTO_TEST_CASE(a_sum_is_not_cut_at_65535_elements) {
    expectFloats(sum(ones({100000})), {}, {100000});
    expectInts(sum(ones({3'000'000}, DType::boolean)), {}, {3'000'000});
    expectFloats(sum(computed(ones({70000}))), {}, {70000});
}

BOOST_AUTO_TEST_CASE(long_axes_of_many_rows_are_not_cut) {
    const Tensor x = ones({70000, 50}, DType::int32) * 1;
    expectBools(all(sum(x, 0) == 70000), {}, {1});
}

BOOST_AUTO_TEST_CASE(loops_inside_the_reduced_chain_count_too) {
    // The remainder and the power of int32 loop themselves, up to 35 times an element.
    const Tensor x = range(0, 40000, 1, DType::float32) + 1e30F;
    expectFloats(sum(cast((x % 3.0F) == 1.0F, DType::float32)), {},
                 {40000.0 * (std::fmod(static_cast<double>(1e30F), 3.0) == 1.0)});
    expectInts(sum(pow(ones({60000}, DType::int32) * 1, fill({60000}, greatestInt, DType::int32))), {}, {60000});
}

BOOST_AUTO_TEST_CASE(empty_reductions_give_the_identity) {
    expectFloats(sum(zeros({0})), {}, {0});
    expectFloats(prod(zeros({0})), {}, {1});
    expectFloats(max(zeros({0})), {}, {-infinity});
    expectFloats(min(zeros({0})), {}, {infinity});
    expectFloats(mean(zeros({0})), {}, {NaN});
    expectInts(max(zeros({0}, DType::int32)), {}, {leastInt});
    expectInts(min(zeros({0}, DType::int32)), {}, {greatestInt});
    expectBools(all(zeros({0}, DType::boolean)), {}, {1});
    expectBools(any(zeros({0}, DType::boolean)), {}, {0});
    expectFloats(sum(zeros({0, 3}), 0), {3}, {0, 0, 0});
    expectFloats(sum(zeros({0, 3}), 1), {0}, {});
    expectFloats(prod(computed(zeros({2, 0})), 1, true), {2, 1}, {1, 1});
}

BOOST_AUTO_TEST_CASE(axes_in_any_order_with_and_without_kept_dims) {
    const Tensor x = counting({2, 3, 4});
    expectFloats(sum(x), {}, {276});
    expectFloats(sum(x, 0), {3, 4}, {12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34});
    expectFloats(sum(x, 1), {2, 4}, {12, 15, 18, 21, 48, 51, 54, 57});
    expectFloats(sum(x, -1), {2, 3}, {6, 22, 38, 54, 70, 86});
    expectFloats(sum(x, {0, 2}), {3}, {60, 92, 124});
    expectFloats(sum(x, {2, 0}, true), {1, 3, 1}, {60, 92, 124});
    expectFloats(sum(x, {-1, -2, -3}), {}, {276});
    expectFloats(mean(x, {1, 2}), {2}, {5.5, 17.5});
    expectFloats(max(x, {0, 1}), {4}, {20, 21, 22, 23});
    expectFloats(min(x, 2, true), {2, 3, 1}, {0, 4, 8, 12, 16, 20});
    expectFloats(prod(x + 1.0F, {0, 2}), {3},
                 {24.0 * 13 * 14 * 15 * 16, 1680.0 * 17 * 18 * 19 * 20, 11880.0 * 21 * 22 * 23 * 24}, 1e-6);
}

BOOST_AUTO_TEST_CASE(lengths_that_are_no_multiple_of_four) {
    for (const std::int64_t n : {1, 2, 3, 4, 5, 6, 7, 8, 9, 63, 64, 65, 1087, 1088, 1089, 4097, 70001, 70002, 70003}) {
        const auto count = static_cast<double>(n);
        const Tensor x = computed(range(1, count + 1, 1, DType::int32));
        expectInts(sum(x % 7), {}, {static_cast<std::int32_t>(n / 7 * 21 + (n % 7) * (n % 7 + 1) / 2)});
        expectInts(max(x), {}, {static_cast<std::int32_t>(n)});
        expectInts(min(-x), {}, {static_cast<std::int32_t>(-n)});
        expectInts(argMax(x), {}, {static_cast<std::int32_t>(n - 1)});
        expectFloats(mean(computed(fill({n}, 0.5F))), {}, {0.5});
        // Along and across rows, in quads where the last axis has them.
        const Tensor rows = x + computed(reshape(ints({0, 1, 2}), {3, 1}));
        expectInts(max(rows, 1), {3},
                   {static_cast<std::int32_t>(n), static_cast<std::int32_t>(n + 1), static_cast<std::int32_t>(n + 2)});
        expectBools(all(max(rows, 0) == x + 2), {}, {1});
        expectBools(all(argMax(rows, 0) == 2), {}, {1});
        expectInts(argMin(rows, 1), {3}, {0, 0, 0});
    }
}

BOOST_AUTO_TEST_CASE(every_axis_of_eight_can_be_reduced) {
    const Tensor x = counting({2, 1, 2, 3, 1, 2, 2, 2}, DType::int32);
    expectInts(sum(x), {}, {95 * 96 / 2});
    expectInts(sum(sum(x, {0, 2, 4, 6}), {0, 1, 2, 3}), {}, {95 * 96 / 2});
    expectInts(sum(x, {1, 3, 4, 5, 6, 7}), {2, 2}, {276, 852, 1428, 2004});
    expectFloats(sum(Tensor(5.0F)), {}, {5});
}

BOOST_AUTO_TEST_CASE(int32_reductions_are_exact_and_wrap) {
    expectInts(sum(ints({16777217, 1, 1})), {}, {16777219});
    expectInts(sum(ints({greatestInt, 1})), {}, {leastInt});
    expectInts(prod(ints({65536, 65536, 3})), {}, {0});
    expectInts(max(ints({leastInt, 16777217, 16777216})), {}, {16777217});
    expectInts(min(ints({greatestInt, leastInt})), {}, {leastInt});
    expectInts(sum(range(0, 200000, 1, DType::int32)), {}, {static_cast<std::int32_t>(19999900000 % 4294967296)});
}

BOOST_AUTO_TEST_CASE(bools_count_as_int32) {
    expectInts(sum(bools({1, 1, 0, 1})), {}, {3});
    expectInts(prod(bools({1, 0})), {}, {0});
    expectInts(max(bools({0, 1})), {}, {1});
    expectFloats(mean(bools({1, 0, 0, 0})), {}, {0.25});
    expectFloats(mean(ints({16777216, 2, 3})), {}, {5592407}, 1e-7);
    expectBools(all(tensor({{true, false}, {true, true}}), 1), {2}, {0, 1});
    expectBools(any(tensor({{true, false}, {false, false}}), 1, true), {2, 1}, {1, 0});
}

BOOST_AUTO_TEST_CASE(log_sum_exp_is_safe_for_large_and_infinite_numbers) {
    expectFloats(logSumExp(floats({1000, 1000})), {}, {1000 + std::log(2.0)}, 1e-6);
    expectFloats(logSumExp(floats({-1000, -infinity})), {}, {-1000});
    expectFloats(logSumExp(floats({-infinity, -infinity})), {}, {-infinity});
    expectFloats(logSumExp(floats({infinity, 1})), {}, {infinity});
    expectFloats(logSumExp(floats({1, NaN})), {}, {NaN});
    expectFloats(logSumExp(zeros({2, 3}), 1, true), {2, 1}, {std::log(3.0), std::log(3.0)}, 1e-6);
    expectFloats(logSumExp(zeros({2, 0}), 1), {2}, {-infinity, -infinity});
    expectFloats(logSumExp(Tensor(3)), {}, {3});
}

BOOST_AUTO_TEST_CASE(nan_survives_max_and_min) {
    expectFloats(max(floats({1, NaN, 3})), {}, {NaN});
    expectFloats(min(floats({NaN, 1, 3})), {}, {NaN});
    expectFloats(max(floats({-infinity, -infinity})), {}, {-infinity});
    const Tensor x = concat({fill({90000}, 1), floats({NaN}), fill({10}, 2)});
    expectFloats(max(x), {}, {NaN});
    expectFloats(sum(floats({infinity, -infinity})), {}, {NaN});
}

BOOST_AUTO_TEST_CASE(arg_max_takes_the_first_and_passes_over_nan) {
    expectInts(argMax(floats({1, NaN, 2})), {}, {2});
    expectInts(argMax(floats({2, 1, 2})), {}, {0});
    expectInts(argMax(floats({-infinity, -infinity})), {}, {0});
    expectInts(argMin(floats({3, NaN, 1, 1})), {}, {2});
    expectInts(argMax(floats({NaN, NaN})), {}, {0});
    expectInts(argMax(tensor({{1, 5, 5}, {9, 2, 9}}), 1), {2}, {1, 0});
    expectInts(argMax(tensor({{1, 5, 5}, {9, 2, 9}}), 0), {3}, {1, 0, 1});
    expectInts(argMin(ints({16777217, 16777216})), {}, {1});
    expectInts(argMax(bools({0, 1, 1})), {}, {1});
    expectInts(argMax(Tensor(4.0F)), {}, {0});
}

BOOST_AUTO_TEST_CASE(arg_max_of_a_long_axis_runs_in_passes) {
    const Tensor x = concat({counting({70000}), floats({70000, 70000, 5})});
    expectInts(argMax(x), {}, {70000});
    expectInts(argMin(x), {}, {0});
    // Three operands in the chain, and the candidates of the pass before as a fourth.
    const Tensor a = computed(counting({5000})), b = computed(ones({5000})), c = computed(counting({5000}));
    expectInts(argMax(a * b - abs(c - 4321.0F) * 3.0F), {}, {4321});
}

BOOST_AUTO_TEST_CASE(a_mean_of_many_is_accurate) {
    expectFloats(mean(fill({1'000'003}, 0.1F) * 1.0F), {}, {static_cast<double>(0.1F)}, 1e-6);
}

BOOST_AUTO_TEST_CASE(wrong_arguments_throw_at_the_call) {
    const Tensor x = zeros({2, 3});
    expectError(errc::invalid_argument, {"sum", "axis 2", "[2, 3]"}, [&] { (void)sum(x, 2); });
    expectError(errc::invalid_argument, {"mean", "axis -3", "[2, 3]"}, [&] { (void)mean(x, -3); });
    expectError(errc::invalid_argument, {"max", "twice", "[2, 3]"}, [&] { (void)max(x, {1, -1}); });
    expectError(errc::invalid_argument, {"min", "axis 7"}, [&] { (void)min(x, 7); });
    expectError(errc::invalid_argument, {"prod", "axis 7"}, [&] { (void)prod(x, 7); });
    expectError(errc::wrong_dtype, {"all", "[2, 3]", "float32", "bool"}, [&] { (void)all(x); });
    expectError(errc::wrong_dtype, {"any", "[2, 3]", "float32", "bool"}, [&] { (void)any(x); });
    expectError(errc::invalid_argument, {"argMax", "axis 2", "[2, 3]"}, [&] { (void)argMax(x, 2); });
    expectError(errc::invalid_argument, {"argMin", "[2, 0]"}, [&] { (void)argMin(zeros({2, 0}), 1); });
    expectError(errc::invalid_argument, {"argMax", "axis 1", "[]"}, [&] { (void)argMax(Tensor(1.0F), 1); });
}
