#define BOOST_TEST_MODULE fusion
#include "values.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
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

BOOST_AUTO_TEST_CASE(a_chain_goes_into_the_product_that_it_begins_with) {
    const Tensor a = resident(tensor({{1, 2}, {-3, 4}})), b = resident(tensor({{1, 0, 2, 1}, {0, 2, 1, -1}}));
    const Tensor bias = resident(floats({0, -5, 1, 2})), other = resident(ones({2, 4}));
    // 1 4 4 -1 / -3 8 -2 -7
    expectKernels(1, 3, [&] { expectFloats(relu(matMul(a, b) + bias), {2, 4}, {1, 0, 5, 1, 0, 3, 0, 0}); });
    // Four tensors are one more than the least that a driver lets a kernel read.
    const char* limits = std::getenv("STILE_LIMITS");
    const bool atMinimum = limits && std::string_view(limits) == "minimum";
    expectKernels(atMinimum ? 2 : 1, 4,
                  [&] { expectFloats(other - relu(matMul(a, b) + bias), {2, 4}, {0, 1, -4, 0, 1, -2, 1, 1}); });
    expectKernels(1, 2, [&] { expectFloats(2.0F * matMul(a, b), {2, 4}, {2, 8, 8, -2, -6, 16, -4, -14}); });
    const Tensor image = resident(tensor({1, -2, 3, -4}, Shape{1, 2, 2, 1})),
                 filter = resident(tensor({1, 10}, Shape{1, 1, 1, 2}));
    const Tensor shift = resident(floats({1, 20}));
    expectKernels(1, 3, [&] { expectFloats(relu6(conv2d(image, filter) + shift), {1, 2, 2, 2}, {2, 6, 0, 0, 4, 6, 0, 0}); });
}

BOOST_AUTO_TEST_CASE(whatever_follows_a_product_has_its_values) {
    const Tensor a = resident(tensor({{1, 2}, {-3, NaN}, {5, 6}}));
    for (const std::int64_t n : {3, 4}) {  // a row that does not end on a quad
        const Tensor b = resident(ones({2, n}));
        const auto rows = [&](double first, double second, double third) {
            std::vector<double> out(static_cast<std::size_t>(n), first);
            out.insert(out.end(), static_cast<std::size_t>(n), second);
            out.insert(out.end(), static_cast<std::size_t>(n), third);
            return out;
        };
        expectFloats(relu(matMul(a, b)), {3, n}, rows(3, NaN, 11));
        expectFloats(relu(-matMul(a, b)), {3, n}, rows(0, NaN, 0));
        expectFloats(sigmoid(matMul(a, b) * 100.0F), {3, n}, rows(1, NaN, 1));
        expectFloats(matMul(a, b) + resident(tensor({{10}, {20}, {30}})), {3, n}, rows(13, NaN, 41));
        expectFloats(matMul(a, b) + resident(zeros({1, 3, n})), {1, 3, n}, rows(3, NaN, 11));
        const std::vector<double> yes = rows(0, 0, 1);
        expectBools(matMul(a, b) > 5.0F, {3, n}, {yes.begin(), yes.end()});
        const Tensor whole = resident(cast(maximum(a, 0.0F), DType::int32)), one = resident(cast(b, DType::int32));
        const std::vector<double> doubled = rows(6, 0, 22);
        expectInts(matMul(whole, one) * Tensor(2), {3, n}, {doubled.begin(), doubled.end()});
        expectFloats(cast(matMul(whole, one), DType::float32) / 2.0F, {3, n}, rows(1.5, 0, 5.5));
    }
    expectFloats(matMul(resident(zeros({2, 0})), resident(zeros({0, 4}))) + 1.0F, {2, 4}, std::vector<double>(8, 1));
    expectFloats(matMul(resident(ones({1, 40000})), resident(ones({40000, 4}))) + 1.0F, {1, 4}, std::vector<double>(4, 40001));
}

BOOST_AUTO_TEST_CASE(large_products_with_a_chain_are_those_without_it) {
    const Tensor a = resident(counting({203, 160}) % 13.0F), b = resident(counting({160, 132}) % 7.0F);
    const Tensor bias = resident(counting({132})), rest = resident(counting({203, 132}));
    const Tensor product = matMul(a, b);
    (void)product.dataSync();
    expectBools(all(relu(matMul(a, b) - bias) + rest == relu(product - bias) + rest), {}, {1});
    const Tensor image = resident(counting({1, 30, 31, 24}) % 13.0F), filter = resident(counting({3, 3, 24, 32}) % 7.0F);
    const Tensor convolution = conv2d(image, filter, {.padding = Padding::same()}), channels = resident(counting({32}));
    (void)convolution.dataSync();
    expectBools(all(leakyRelu(conv2d(image, filter, {.padding = Padding::same()}) - channels * 400.0F) ==
                    leakyRelu(convolution - channels * 400.0F)),
                {}, {1});
}

BOOST_AUTO_TEST_CASE(what_is_recorded_twice_is_computed_once) {
    const Tensor x = resident(floats({1, 4, 9}));
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("stile-fusion-" + std::to_string(getpid()));
    std::filesystem::create_directory(folder);
    setenv("STILE_DUMP_SHADERS", folder.c_str(), 1);
    expectFloats(expm1(x * 0.0F) + expm1(x * 0.0F) + 1.0F, {3}, {1, 1, 1});
    unsetenv("STILE_DUMP_SHADERS");
    int calls = 0;
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
        std::ifstream source(file.path());
        for (std::string line; std::getline(source, line);) calls += line.find("= st_expm1(a)") != std::string::npos ? 1 : 0;
    }
    std::filesystem::remove_all(folder);
    // A GL without shaders gets them too. Unfused, the second expm1 finds the program of the first.
    BOOST_TEST(calls == 1);

    expectFloats(sqrt(x) * 2.0F - sqrt(x) * 2.0F, {3}, {0, 0, 0});
    expectFloats(sqrt(x) * 2.0F - sqrt(x) * 3.0F, {3}, {-1, -2, -3});
}

BOOST_AUTO_TEST_CASE(a_product_that_several_want_gets_a_buffer) {
    const Tensor a = resident(tensor({{1, 2}, {3, 4}})), b = resident(tensor({{1, 0}, {0, -1}}));
    const Tensor product = matMul(a, b);
    expectKernels(1, 2, [&] { expectFloats(relu(product), {2, 2}, {1, 0, 3, 0}); });
    expectKernels(1, 0, [&] { expectFloats(product, {2, 2}, {1, -2, 3, -4}); });
    expectKernels(1, 1, [&] { expectFloats(-product, {2, 2}, {-1, 2, -3, 4}); });
    const Tensor both = matMul(a, b);
    expectKernels(3, 3, [&] { expectFloats(matMul(relu(both), both), {2, 2}, {1, -2, 3, -6}); });
    // Of two products one takes the sum.
    expectKernels(2, 3, [&] { expectFloats(matMul(a, b) + matMul(b, a), {2, 2}, {2, 0, 0, -8}); });
    // What goes into a product may be added to it as well.
    expectKernels(2, 3, [&] {
        const Tensor x = a + 1.0F;
        expectFloats(x + matMul(x, b), {2, 2}, {4, 0, 8, 0});
    });
    expectKernels(2, 3, [&] {
        const Tensor x = matMul(a, b) + 1.0F;
        expectFloats(matMul(x, x), {2, 2}, {0, 1, -4, 5});
    });
}
