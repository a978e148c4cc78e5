#define BOOST_TEST_MODULE fused
#include <cmath>

#include "values.hpp"

using namespace stile;
using namespace test;
using fused::Activation;
BOOST_TEST_GLOBAL_FIXTURE(ValueDevice);

BOOST_AUTO_TEST_CASE(a_product_with_bias_and_activation) {
    const Tensor a = tensor({1, 2, -3, 4}, Shape{2, 2}), b = tensor({1, 0, 0, 2}, Shape{2, 2});  // 1 4 / -3 8
    expectFloats(fused::matMul(a, b, {}), {2, 2}, {1, 4, -3, 8});
    expectFloats(fused::matMul(a, b, {.bias = floats({0, -5})}), {2, 2}, {1, -1, -3, 3});
    expectFloats(fused::matMul(a, b, {.activation = Activation::relu}), {2, 2}, {1, 4, 0, 8});
    expectFloats(fused::matMul(a, b, {.activation = Activation::relu6}), {2, 2}, {1, 4, 0, 6});
    expectFloats(fused::matMul(a, b, {.activation = Activation::elu}), {2, 2}, {1, 4, std::expm1(-3.0), 8}, 1e-6);
    expectFloats(fused::matMul(a, b, {.activation = Activation::leakyRelu}), {2, 2}, {1, 4, -3 * 0.2F, 8}, 1e-7);
    expectFloats(fused::matMul(a, b, {.activation = Activation::leakyRelu, .leakyReluAlpha = 0.5F}), {2, 2}, {1, 4, -1.5, 8});
    expectFloats(fused::matMul(a, b, {.activation = Activation::prelu, .preluWeights = floats({3, 4})}), {2, 2}, {1, 4, -9, 8});
    expectFloats(fused::matMul(a, b, {.bias = tensor({-1, 3}, Shape{2, 1}), .activation = Activation::sigmoid}), {2, 2},
                 {0.5, 1 / (1 + std::exp(-3.0)), 0.5, 1 / (1 + std::exp(-11.0))}, 1e-6);
    expectFloats(fused::matMul(a, b, {.bias = Tensor(1.0F)}, true, true), {2, 2}, {2, -5, 3, 9});
    expectInts(fused::matMul(cast(a, DType::int32), cast(b, DType::int32), {.activation = Activation::relu}), {2, 2},
               {1, 4, 0, 8});
}

BOOST_AUTO_TEST_CASE(convolutions_with_bias_and_activation) {
    const Tensor x = tensor({1, -2, 3, -4}, Shape{1, 2, 2, 1}), f = tensor({1, 10}, Shape{1, 1, 1, 2});
    const fused::Epilogue relu{.bias = floats({1, 20}), .activation = Activation::relu};
    expectFloats(fused::conv2d(x, f, {}, relu), {1, 2, 2, 2}, {2, 30, 0, 0, 4, 50, 0, 0});
    const Tensor first = reshape(x, {1, 1, 2, 2});
    expectFloats(fused::conv2d(first, f, {.format = DataFormat::nchw}, relu), {1, 2, 2, 2}, {2, 0, 4, 0, 30, 0, 50, 0});
    const fused::Epilogue slopes{.activation = Activation::prelu, .preluWeights = floats({2, 3})};
    expectFloats(fused::conv2d(first, f, {.format = DataFormat::nchw}, slopes), {1, 2, 2, 2},
                 {1, -4, 3, -8, 10, -60, 30, -120});
    expectFloats(fused::depthwiseConv2d(x, f, {.strides = 2}, relu), {1, 1, 1, 2}, {2, 30});
    expectFloats(fused::conv2d(squeeze(x, 0), f, {.strides = 2}, relu), {1, 1, 2}, {2, 30});
}

BOOST_AUTO_TEST_CASE(wrong_arguments_throw_at_the_call) {
    const Tensor a = ones({2, 2});
    expectError(errc::invalid_argument, {"fused.matMul", "bias [3]", "[2, 2]"},
                [&] { (void)fused::matMul(a, a, {.bias = ones({3})}); });
    expectError(errc::invalid_argument, {"fused.matMul", "bias [1, 2, 2]"},
                [&] { (void)fused::matMul(a, a, {.bias = ones({1, 2, 2})}); });
    expectError(errc::invalid_argument, {"fused.matMul", "prelu", "[2, 2]"},
                [&] { (void)fused::matMul(a, a, {.activation = Activation::prelu}); });
    expectError(errc::invalid_argument, {"fused.conv2d", "preluWeights [3]"}, [] {
        const fused::Epilogue slopes{.activation = Activation::prelu, .preluWeights = ones({3})};
        (void)fused::conv2d(ones({1, 2, 2, 1}), ones({1, 1, 1, 2}), {}, slopes);
    });
}
