#define BOOST_TEST_MODULE fusion
#include "values.hpp"

#include <cstdlib>
#include <string_view>

// Which nodes share a kernel, told by the number of kernels that ran, and that sharing changes no value.
using namespace stile;
using namespace test;
BOOST_TEST_GLOBAL_FIXTURE(ValueDevice);

namespace {

bool fuses() {
    const char* text = std::getenv("STILE_FUSION");
    return !text || std::string_view(text) != "0";
}

/// How many kernels it took to get the values. `unfused` is the number where nothing shares a kernel.
void expectKernels(std::int64_t fused, std::int64_t unfused, const std::function<void()>& work) {
    const std::int64_t before = valueDevice().stats().kernels;
    work();
    BOOST_TEST(valueDevice().stats().kernels - before == (fuses() ? fused : unfused));
}

/// A tensor that is on the device already.
Tensor resident(const Tensor& x) {
    Tensor y = reverse(reverse(x));
    (void)sum(cast(y, DType::float32)).dataSync();
    return y;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_chain_is_one_kernel) {
    const Tensor x = resident(floats({1, 4, 9}));
    expectKernels(1, 4, [&] { expectFloats(sqrt(x) * 2.0F + 1.0F - x, {3}, {2, 1, -2}); });
}

BOOST_AUTO_TEST_CASE(a_chain_goes_into_the_reduction_that_ends_it) {
    const Tensor x = resident(counting({4, 3}));
    expectKernels(1, 3, [&] { expectFloats(sum(square(x) + 1.0F, 1), {4}, {8, 53, 152, 305}); });
    expectKernels(1, 2, [&] { expectInts(argMax(-x, 0), {3}, {0, 0, 0}); });
}

BOOST_AUTO_TEST_CASE(an_operand_that_is_stretched_gets_a_buffer) {
    const Tensor x = resident(counting({3}));
    // exp of three elements is not worked out again for each row.
    expectKernels(2, 2, [&] { expectFloats(square(x) + zeros({2, 3}), {2, 3}, {0, 1, 4, 0, 1, 4}); });
}

BOOST_AUTO_TEST_CASE(what_two_kernels_read_is_computed_once) {
    const Tensor x = resident(counting({2, 3}));
    const Tensor y = x * 2.0F;
    expectKernels(3, 3, [&] { expectFloats(matMul(y, transpose(y)), {2, 2}, {20, 56, 56, 200}); });
    const Tensor z = x + 1.0F;
    // Both consumers are in one kernel.
    expectKernels(1, 2, [&] { expectFloats(z * z, {2, 3}, {1, 4, 9, 16, 25, 36}); });
}

BOOST_AUTO_TEST_CASE(a_value_asked_for_later_is_right_although_it_was_inside_a_kernel) {
    const Tensor x = resident(floats({1, 2, 3}));
    const Tensor y = x + 1.0F, z = y * 10.0F;
    expectFloats(z, {3}, {20, 30, 40});
    expectFloats(y, {3}, {2, 3, 4});
    expectFloats(y - x, {3}, {1, 1, 1});
}

BOOST_AUTO_TEST_CASE(a_few_steps_that_two_kernels_read_are_computed_in_both) {
    const Tensor x = resident(tensor({{0, 0, 0, 0}, {1000, 1000, -infinity, -infinity}}));
    // The exponential goes into its sum and into the quotient.
    expectKernels(3, 5, [&] { expectFloats(softmax(x), {2, 4}, {0.25, 0.25, 0.25, 0.25, 0.5, 0.5, 0, 0}); });
    // Not from two large tensors, not if it is asked for, not if a third kernel or one that computes nothing inside reads it.
    const Tensor y = resident(counting({2, 3})), z = resident(ones({2, 3}));
    const Tensor both = y + z;
    expectKernels(3, 3, [&] {
        expectFloats(both / sum(both), {2, 3}, {1 / 21.0, 2 / 21.0, 3 / 21.0, 4 / 21.0, 5 / 21.0, 6 / 21.0}, 1e-6);
    });
    const Tensor turned = y + 1.0F;
    expectKernels(4, 4, [&] { expectFloats(transpose(turned) - sum(turned), {3, 2}, {-20, -17, -19, -16, -18, -15}); });
    const Tensor thrice = y * 2.0F;
    expectKernels(4, 5,
                  [&] { expectFloats((thrice - sum(thrice)) * max(thrice), {2, 3}, {-300, -280, -260, -240, -220, -200}); });
}

BOOST_AUTO_TEST_CASE(what_is_computed_in_two_kernels_can_be_asked_for_later) {
    const Tensor x = resident(counting({4}));
    const Tensor e = x * 3.0F, shares = e / sum(e);
    expectFloats(shares, {4}, {0, 3 / 18.0, 6 / 18.0, 0.5}, 1e-6);
    expectFloats(e, {4}, {0, 3, 6, 9});
    expectFloats(e - x, {4}, {0, 2, 4, 6});
}

BOOST_AUTO_TEST_CASE(a_long_chain_is_cut) {
    Tensor x = resident(zeros({5}));
    for (int i = 0; i < 100; ++i) x = x + 1.0F;
    expectKernels(4, 100, [&] { expectFloats(x, {5}, {100, 100, 100, 100, 100}); });
}

BOOST_AUTO_TEST_CASE(a_wide_tree_keeps_to_the_number_of_buffers) {
    std::vector<Tensor> leaves;
    for (int i = 0; i < 40; ++i) leaves.push_back(resident(fill({3}, i)));
    Tensor total = leaves[0];
    for (int i = 1; i < 40; ++i) total = total + leaves[static_cast<std::size_t>(i)];
    expectFloats(total, {3}, {780, 780, 780});
    // Balanced: both operands of a node come from elsewhere.
    while (leaves.size() > 1) {
        std::vector<Tensor> next;
        for (std::size_t i = 0; i + 1 < leaves.size(); i += 2) next.push_back(leaves[i] + leaves[i + 1]);
        if (leaves.size() % 2 == 1) next.push_back(leaves.back());
        leaves = std::move(next);
    }
    expectFloats(leaves[0], {3}, {780, 780, 780});
}

BOOST_AUTO_TEST_CASE(a_tensor_of_many_roles_in_one_kernel) {
    const Tensor x = resident(floats({1, 2, 3, 4})), row = resident(tensor({{10, 20, 30, 40}}));
    const Tensor s = resident(Tensor(2.0F));
    expectFloats(where(x * s > 4.0F, x + row, s - x) * cast(x == 3.0F, DType::float32) + s, {1, 4}, {2, 2, 35, 2});
    expectFloats(x * x + x, {4}, {2, 6, 12, 20});
}

BOOST_AUTO_TEST_CASE(aliases_between_the_members_of_a_chain) {
    const Tensor x = resident(counting({2, 3}));
    expectFloats(reshape(x + 1.0F, {3, 2}) * floats({1, 10}), {3, 2}, {1, 20, 3, 40, 5, 60});
    const Tensor y = reshape(x * 2.0F, {6});
    expectFloats(sum(y) + sum(x), {}, {45});
    expectFloats(y, {6}, {0, 2, 4, 6, 8, 10});
}

BOOST_AUTO_TEST_CASE(mixed_dtypes_in_one_chain) {
    const Tensor i = resident(ints({16777217, 7, -7})), b = resident(bools({1, 0, 1}));
    expectInts((i + b) / 2 - cast(b, DType::int32), {3}, {8388608, 3, -4});
    expectFloats(cast(i % 4, DType::float32) * 0.5F, {3}, {0.5, 1.5, 0.5});
    expectBools(logicalAnd(b, i > 0), {3}, {1, 0, 0});
}

BOOST_AUTO_TEST_CASE(fifty_batch_sizes_make_one_program_for_each_kernel) {
    const Tensor weights = resident(counting({12, 8})), bias = resident(counting({8}));
    const auto layer = [&](std::int64_t batch) { (void)relu(matMul(ones({batch, 12}), weights) - bias).dataSync(); };
    layer(8);
    const DeviceStats before = valueDevice().stats();
    for (std::int64_t batch = 9; batch < 59; ++batch) layer(batch);
    const DeviceStats after = valueDevice().stats();
    BOOST_TEST(after.programs == before.programs);
    BOOST_TEST(after.compiled + after.loaded == before.compiled + before.loaded);
}
