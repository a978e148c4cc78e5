#define BOOST_TEST_MODULE conv
#include "values.hpp"

using namespace stile;
using namespace test;
BOOST_TEST_GLOBAL_FIXTURE(ValueDevice);

namespace {

/// The definition, in double: NHWC, explicit padding above and to the left.
std::vector<double> convolved(const std::vector<std::int64_t>& x, const std::vector<std::int64_t>& f, std::int64_t stride,
                              std::int64_t dilation, std::int64_t top, std::int64_t left, std::int64_t height,
                              std::int64_t width) {
    std::vector<double> out;
    for (std::int64_t b = 0; b < x[0]; ++b) {
        for (std::int64_t oy = 0; oy < height; ++oy) {
            for (std::int64_t ox = 0; ox < width; ++ox) {
                for (std::int64_t o = 0; o < f[3]; ++o) {
                    double total = 0;
                    for (std::int64_t ky = 0; ky < f[0]; ++ky) {
                        for (std::int64_t kx = 0; kx < f[1]; ++kx) {
                            const std::int64_t y = oy * stride - top + ky * dilation, xx = ox * stride - left + kx * dilation;
                            if (y < 0 || y >= x[1] || xx < 0 || xx >= x[2]) continue;
                            for (std::int64_t c = 0; c < x[3]; ++c) {
                                total += static_cast<double>((((b * x[1] + y) * x[2] + xx) * x[3] + c) % 13) *
                                         static_cast<double>((((ky * f[1] + kx) * f[2] + c) * f[3] + o) % 7);
                            }
                        }
                    }
                    out.push_back(total);
                }
            }
        }
    }
    return out;
}

Tensor images(const Shape& shape) { return counting(shape) % 13.0F; }
Tensor filters(const Shape& shape) { return counting(shape) % 7.0F; }

}  // namespace

BOOST_AUTO_TEST_CASE(a_filter_slides_over_the_image) {
    const Tensor x = tensor({{{1}, {2}, {3}}, {{4}, {5}, {6}}, {{7}, {8}, {9}}});
    const Tensor f = tensor({{1, 2}, {3, 4}}, Shape{2, 2, 1, 1});
    expectFloats(conv2d(x, f), {2, 2, 1}, {37, 47, 67, 77});
    expectFloats(conv2d(expandDims(x), f), {1, 2, 2, 1}, {37, 47, 67, 77});
    expectFloats(conv2d(x, f, {.padding = Padding::same()}), {3, 3, 1}, {37, 47, 21, 67, 77, 33, 23, 26, 9});
    expectFloats(conv2d(x, f, {.strides = 2, .padding = Padding::same()}), {2, 2, 1}, {37, 21, 23, 9});
    expectFloats(conv2d(x, f, {.padding = Padding::amounts(1, 0, 0, 1)}), {3, 3, 1}, {11, 18, 9, 37, 47, 21, 67, 77, 33});
}

BOOST_AUTO_TEST_CASE(channels_in_fours_and_others_agree_with_the_definition) {
    for (const std::int64_t in : {1, 3, 4, 8}) {
        for (const std::int64_t out : {1, 4, 6}) {
            const Shape x{2, 5, 7, in}, f{3, 3, in, out};
            expectFloats(conv2d(images(x), filters(f)), {2, 3, 5, out}, convolved(x, f, 1, 1, 0, 0, 3, 5));
            expectFloats(conv2d(images(x), filters(f), {.strides = 2, .padding = Padding::same()}), {2, 3, 4, out},
                         convolved(x, f, 2, 1, 1, 1, 3, 4));
            expectFloats(conv2d(images(x), filters(f), {.dilations = 2}), {2, 1, 3, out}, convolved(x, f, 1, 2, 0, 0, 1, 3));
        }
    }
}

BOOST_AUTO_TEST_CASE(channels_first_is_the_same_convolution) {
    const Tensor x = images({2, 5, 6, 3}), f = filters({2, 3, 3, 4});
    const Tensor expected = transpose(conv2d(x, f), {0, 3, 1, 2});
    const Tensor actual = conv2d(transpose(x, {0, 3, 1, 2}), f, {.format = DataFormat::nchw});
    BOOST_TEST((actual.shape() == Shape{2, 4, 4, 4}));
    expectBools(all(actual == expected), {}, {1});
}

BOOST_AUTO_TEST_CASE(amounts_need_a_rounding_unless_they_divide) {
    const Tensor x = ones({1, 4, 4, 1}), f = ones({3, 3, 1, 1});
    const Padding one = Padding::amounts(1, 1, 1, 1);
    expectError(errc::invalid_argument, {"conv2d", "rounding"}, [&] { (void)conv2d(x, f, {.strides = 2, .padding = one}); });
    expectFloats(conv2d(x, f, {.strides = 2, .padding = one, .rounding = Rounding::floor}), {1, 2, 2, 1}, {4, 6, 6, 9});
    expectFloats(conv2d(x, f, {.strides = 2, .padding = one, .rounding = Rounding::ceil}), {1, 3, 3, 1},
                 {4, 6, 2, 6, 9, 3, 2, 3, 1});
}

BOOST_AUTO_TEST_CASE(each_channel_has_its_own_filters) {
    const Tensor x = counting({1, 2, 2, 2}), f = tensor({1, 10, 2, 20, 3, 30, 4, 40}, Shape{2, 1, 2, 2});
    // Output channels: the two of input channel 0, then the two of input channel 1.
    expectFloats(depthwiseConv2d(x, f), {1, 1, 2, 4}, {12, 120, 22, 220, 20, 200, 34, 340});
    expectFloats(depthwiseConv2d(ones({3, 3, 1}), ones({2, 2, 1, 1}), {.dilations = 2}), {1, 1, 1}, {4});
    expectFloats(depthwiseConv2d(ones({1, 3, 3, 1}), ones({3, 3, 1, 1}), {.padding = Padding::same()}), {1, 3, 3, 1},
                 {4, 6, 4, 6, 9, 6, 4, 6, 4});
}

BOOST_AUTO_TEST_CASE(windows_beyond_65535_positions_are_not_cut) {
    expectFloats(conv2d(ones({1, 1, 70000, 1}), ones({1, 70000, 1, 1})), {1, 1, 1, 1}, {70000});
    expectFloats(conv2d(ones({1, 70000, 1, 1}), ones({70000, 1, 1, 4})), {1, 1, 1, 4}, std::vector<double>(4, 70000));
    expectFloats(conv2d(ones({1, 2, 2, 40000}), ones({2, 2, 40000, 1})), {1, 1, 1, 1}, {160000});
    expectFloats(conv2d(ones({1, 300, 300, 3}), ones({300, 300, 3, 1})), {1, 1, 1, 1}, {270000});
    expectFloats(depthwiseConv2d(ones({1, 1, 70000, 1}), ones({1, 70000, 1, 1})), {1, 1, 1, 1}, {70000});
    expectFloats(depthwiseConv2d(ones({1, 300, 300, 2}), ones({300, 300, 2, 1})), {1, 1, 1, 2}, {90000, 90000});
}

BOOST_AUTO_TEST_CASE(empty_images_and_channels) {
    expectFloats(conv2d(zeros({0, 3, 3, 1}), ones({2, 2, 1, 2})), {0, 2, 2, 2}, {});
    expectFloats(conv2d(zeros({1, 2, 2, 0}), zeros({2, 2, 0, 1})), {1, 1, 1, 1}, {0});
    expectFloats(conv2d(ones({1, 2, 2, 1}), ones({3, 3, 1, 1})), {1, 0, 0, 1}, {});
}

BOOST_AUTO_TEST_CASE(wrong_arguments_throw_at_the_call) {
    const Tensor x = zeros({1, 4, 4, 3}), f = zeros({2, 2, 3, 1});
    expectError(errc::invalid_argument, {"conv2d", "[4, 4]"}, [&] { (void)conv2d(zeros({4, 4}), f); });
    expectError(errc::invalid_argument, {"conv2d", "[2, 2, 3]"}, [&] { (void)conv2d(x, zeros({2, 2, 3})); });
    expectError(errc::invalid_argument, {"conv2d", "[1, 4, 4, 3]", "3", "2"}, [&] { (void)conv2d(x, zeros({2, 2, 2, 1})); });
    expectError(errc::invalid_argument, {"conv2d", "strides", "0"}, [&] { (void)conv2d(x, f, {.strides = 0}); });
    expectError(errc::invalid_argument, {"conv2d", "strides 2", "dilations 2"},
                [&] { (void)conv2d(x, f, {.strides = 2, .dilations = 2}); });
    expectError(errc::invalid_argument, {"conv2d", "-1"},
                [&] { (void)conv2d(x, f, {.padding = Padding::amounts(-1, 0, 0, 0)}); });
    expectError(errc::wrong_dtype, {"conv2d", "int32"}, [&] { (void)conv2d(zeros({1, 4, 4, 3}, DType::int32), f); });
    expectError(errc::invalid_argument, {"depthwiseConv2d", "[1, 4, 4, 3]", "[2, 2, 2, 1]"},
                [&] { (void)depthwiseConv2d(x, zeros({2, 2, 2, 1})); });
    expectError(errc::wrong_dtype, {"depthwiseConv2d", "bool"},
                [&] { (void)depthwiseConv2d(x, zeros({2, 2, 3, 1}, DType::boolean)); });
}
