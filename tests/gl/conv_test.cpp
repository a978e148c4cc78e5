#define BOOST_TEST_MODULE conv
#include "values.hpp"

#include <algorithm>
#include <array>
#include <utility>

using namespace stile;
using namespace test;
BOOST_TEST_GLOBAL_FIXTURE(ValueDevice);

namespace {

/// The definition, in double: NHWC, explicit padding above and to the left.
std::vector<double> convolved(const Shape& x, const Shape& f, std::int64_t stride, std::int64_t dilation, std::int64_t top,
                              std::int64_t left, std::int64_t height, std::int64_t width) {
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

BOOST_AUTO_TEST_CASE(large_convolutions_agree_with_the_definition) {
    for (const auto& [in, out] : std::to_array<std::pair<std::int64_t, std::int64_t>>({{24, 40}, {3, 100}, {37, 18}})) {
        const Shape x{2, 27, 33, in}, f{3, 3, in, out};
        const Tensor image = images(x), filter = filters(f);
        expectFloats(conv2d(image, filter), {2, 25, 31, out}, convolved(x, f, 1, 1, 0, 0, 25, 31));
        expectFloats(conv2d(image, filter, {.padding = Padding::same()}), {2, 27, 33, out},
                     convolved(x, f, 1, 1, 1, 1, 27, 33));
        expectFloats(conv2d(image, filter, {.strides = 2, .padding = Padding::same()}), {2, 14, 17, out},
                     convolved(x, f, 2, 1, 1, 1, 14, 17));
        expectFloats(conv2d(image, filter, {.padding = Padding::amounts(3, 0, 1, 2), .dilations = 2}), {2, 26, 32, out},
                     convolved(x, f, 1, 2, 3, 1, 26, 32));
        // A product of pixels.
        const Shape point{1, 1, in, 320};
        expectFloats(conv2d(image, filters(point)), {2, 27, 33, 320}, convolved(x, point, 1, 1, 0, 0, 27, 33));
    }
}

BOOST_AUTO_TEST_CASE(large_convolutions_turn_back_to_the_image) {
    // The definition: what each position of the convolution has read gets its share.
    const Shape given{2, 14, 17, 36}, f{3, 3, 20, 36}, result{2, 27, 33, 20};
    std::vector<double> expected(static_cast<std::size_t>(result.size()), 0.0);
    for (std::int64_t i = 0; i < given.size(); ++i) {
        const std::int64_t c = i % 36, x = i / 36 % 17, y = i / 36 / 17 % 14, b = i / 36 / 17 / 14;
        for (std::int64_t tap = 0; tap < 9; ++tap) {
            const std::int64_t ty = y * 2 - 1 + tap / 3, tx = x * 2 - 1 + tap % 3;
            if (ty < 0 || ty >= 27 || tx < 0 || tx >= 33) continue;
            for (std::int64_t o = 0; o < 20; ++o) {
                expected[static_cast<std::size_t>(((b * 27 + ty) * 33 + tx) * 20 + o)] +=
                    static_cast<double>(i % 13) * static_cast<double>(((tap * 20 + o) * 36 + c) % 7);
            }
        }
    }
    expectFloats(conv2dTranspose(images(given), filters(f), result, {.strides = 2, .padding = Padding::same()}), result,
                 expected);
}

BOOST_AUTO_TEST_CASE(what_lies_outside_the_image_meets_no_weight) {
    // Zeros there would make NaN of an infinite weight.
    for (const std::int64_t size : {3, 40}) {
        for (const std::int64_t channels : {3, 32}) {
            std::vector<float> weights(static_cast<std::size_t>(9 * channels * 32), 1);
            std::fill_n(weights.begin(), channels * 32, infinity);  // up and to the left
            const Tensor y =
                conv2d(ones({1, size, size, channels}), tensor(weights, {3, 3, channels, 32}), {.padding = Padding::same()});
            std::vector<double> expected;
            for (std::int64_t i = 0; i < y.shape().size(); ++i) {
                const std::int64_t row = i / 32 / size, column = i / 32 % size, last = size - 1;
                const std::int64_t taps = (row > 0 && row < last ? 3 : 2) * (column > 0 && column < last ? 3 : 2);
                expected.push_back(row > 0 && column > 0 ? infinity : static_cast<double>(taps * channels));
            }
            expectFloats(y, {1, size, size, 32}, expected);
        }
    }
}

BOOST_AUTO_TEST_CASE(fifty_batch_sizes_make_one_program) {
    const Device& device = valueDevice();
    const Tensor filter = computed(ones({3, 3, 16, 32}));
    const auto made = [&] { return device.stats().compiled + device.stats().loaded; };
    const auto convolution = [&](std::int64_t batch) {
        const Tensor y = conv2d(computed(ones({batch, 8, 8, 16})), filter);
        BOOST_TEST(y.dataSync().back() == 144.0F);
    };
    convolution(40);
    const std::int64_t before = made();
    for (std::int64_t batch = 41; batch < 91; ++batch) convolution(batch);
    BOOST_TEST(made() == before);
}

BOOST_AUTO_TEST_CASE(channels_first_is_the_same_convolution) {
    const Tensor x = images({2, 5, 6, 3}), f = filters({2, 3, 3, 4});
    const Tensor expected = transpose(conv2d(x, f), {0, 3, 1, 2});
    const Tensor actual = conv2d(transpose(x, {0, 3, 1, 2}), f, {.format = DataFormat::nchw});
    BOOST_TEST((actual.shape() == Shape{2, 4, 4, 4}));
    expectBools(all(actual == expected), {}, {1});
}

BOOST_AUTO_TEST_CASE(what_does_not_divide_is_rounded) {
    const Tensor x = ones({1, 4, 4, 1}), f = ones({3, 3, 1, 1});
    const Padding one = Padding::all(1);
    const std::vector<double> four{4, 6, 6, 9}, nine{4, 6, 2, 6, 9, 3, 2, 3, 1};
    expectFloats(conv2d(x, f, {.strides = 2, .padding = one}), {1, 2, 2, 1}, four);
    expectFloats(conv2d(x, f, {.strides = 2, .padding = one, .rounding = Rounding::floor}), {1, 2, 2, 1}, four);
    expectFloats(conv2d(x, f, {.strides = 2, .padding = one, .rounding = Rounding::ceil}), {1, 3, 3, 1}, nine);
    expectFloats(conv2d(x, f, {.strides = 2, .padding = one, .rounding = Rounding::round}), {1, 3, 3, 1}, nine);
    expectFloats(conv2d(x, f, {.strides = 4, .padding = one, .rounding = Rounding::round}), {1, 2, 2, 1}, {4, 2, 2, 1});
    expectError(errc::invalid_argument, {"conv2d", "rounding", "[1, 4, 4, 1]"},
                [&] { (void)conv2d(x, f, {.padding = Padding::same(), .rounding = Rounding::floor}); });
}

BOOST_AUTO_TEST_CASE(each_channel_has_its_own_filters) {
    const Tensor x = counting({1, 2, 2, 2}), f = tensor({1, 10, 2, 20, 3, 30, 4, 40}, Shape{2, 1, 2, 2});
    // Output channels: the two of input channel 0, then the two of input channel 1.
    expectFloats(depthwiseConv2d(x, f), {1, 1, 2, 4}, {12, 120, 22, 220, 20, 200, 34, 340});
    expectFloats(depthwiseConv2d(ones({3, 3, 1}), ones({2, 2, 1, 1}), {.dilations = 2}), {1, 1, 1}, {4});
    expectFloats(depthwiseConv2d(ones({1, 3, 3, 1}), ones({3, 3, 1, 1}), {.padding = Padding::same()}), {1, 3, 3, 1},
                 {4, 6, 4, 6, 9, 6, 4, 6, 4});
}

BOOST_AUTO_TEST_CASE(lines_are_images_of_one_row) {
    const Tensor x = tensor({1, 2, 3, 4, 5}, Shape{5, 1}), f = tensor({1, 10}, Shape{2, 1, 1});
    expectFloats(conv1d(x, f), {4, 1}, {21, 32, 43, 54});
    expectFloats(conv1d(expandDims(x), f, {.stride = 2, .padding = Padding::same()}), {1, 3, 1}, {21, 43, 5});
    expectFloats(conv1d(x, f, {.dilation = 3}), {2, 1}, {41, 52});
    expectFloats(conv1d(x, f, {.padding = Padding::amounts(1, 0)}), {5, 1}, {10, 21, 32, 43, 54});
    expectFloats(
        conv1d(tensor({1, 2, 3, 10, 20, 30}, Shape{2, 3}), tensor({1, 1, 1, 1}, Shape{2, 2, 1}), {.format = DataFormat::nchw}),
        {1, 2}, {33, 55});
}

BOOST_AUTO_TEST_CASE(depthwise_channels_four_at_a_time_are_what_they_are_one_by_one) {
    const Tensor x = computed(round(randomUniform({2, 6, 7, 8}, -9, 9, 3))),
                 f = computed(round(randomUniform({3, 2, 8, 1}, -9, 9, 4)));
    const ConvOptions options{.strides = {1, 2}, .padding = Padding::same()};
    for (int c = 0; c < 8; ++c) {
        const Tensor y = slice(depthwiseConv2d(x, f, options), {0, 0, 0, c}, {-1, -1, -1, 1});
        const Tensor one = depthwiseConv2d(computed(slice(x, {0, 0, 0, c}, {-1, -1, -1, 1})),
                                           computed(slice(f, {0, 0, c}, {-1, -1, 1, -1})), options);
        expectBools(all(y == one), {}, {1});
    }
    expectFloats(depthwiseConv2d(ones({1, 300, 300, 4}), ones({300, 300, 4, 1})), {1, 1, 1, 4}, {90000, 90000, 90000, 90000});
    // A NaN outside the window does not reach the value beside it.
    const Tensor edge = concat({fill({1, 1, 1, 4}, NaN), ones({1, 1, 4, 4})}, 2);
    expectBools(all(slice(depthwiseConv2d(computed(edge), ones({1, 1, 4, 1})), {0, 0, 1, 0}) == 1.0F), {}, {1});
}

BOOST_AUTO_TEST_CASE(a_depthwise_and_a_pointwise_filter) {
    const Tensor x = counting({1, 2, 2, 2}), deep = tensor({1, 10, 2, 20, 3, 30, 4, 40}, Shape{2, 1, 2, 2});
    const Tensor point = tensor({1, 0, 0, 1, 1, 0, 0, 1}, Shape{1, 1, 4, 2});
    expectFloats(separableConv2d(x, deep, point), {1, 1, 2, 2}, {34, 340, 54, 540});
    const Tensor first = transpose(x, {0, 3, 1, 2});
    expectFloats(separableConv2d(first, deep, point, {.format = DataFormat::nchw}), {1, 2, 1, 2}, {34, 54, 340, 540});
}

namespace {

std::vector<Conv3dOptions> geometries() {
    std::vector<Conv3dOptions> out;
    for (const Padding padding : {Padding::valid(), Padding::same(), Padding::amounts(2, 1, 1, 0, 0, 2)}) {
        for (const Triple stride : {Triple(1), Triple(2), Triple(3, 1, 2)})
            out.push_back({.strides = stride, .padding = padding});
        for (const Triple dilation : {Triple(2), Triple(1, 2, 3)}) out.push_back({.padding = padding, .dilations = dilation});
    }
    return out;
}
ConvOptions plane(const Conv3dOptions& o) {
    return {.strides = {o.strides.height, o.strides.width},
            .padding = o.padding,
            .dilations = {o.dilations.height, o.dilations.width}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(volumes_are_convolved_plane_by_plane) {
    const Tensor x = images({2, 5, 6, 7, 3}), f = filters({3, 2, 3, 3, 4});
    for (const Conv3dOptions& o : geometries()) {
        const Tensor actual = conv3d(x, f, o);
        const std::int64_t reach = 2 * o.dilations.depth + 1, positions = actual.shape()[1];
        const std::int64_t same = std::max<std::int64_t>(0, (positions - 1) * o.strides.depth + reach - 5) / 2;
        const std::int64_t front = o.padding.kind == Padding::Kind::same ? same : o.padding.front;
        std::vector<Tensor> planes;
        for (std::int64_t d = 0; d < positions; ++d) {
            Tensor total = zeros({2, actual.shape()[2], actual.shape()[3], 4});
            for (std::int64_t k = 0; k < 3; ++k) {
                const std::int64_t at = d * o.strides.depth - front + k * o.dilations.depth;
                if (at < 0 || at >= 5) continue;
                const Tensor from = squeeze(slice(x, {0, at}, {2, 1}), 1), taps = squeeze(slice(f, {k}, {1}), 0);
                total = total + conv2d(from, taps, plane(o));
            }
            planes.push_back(total);
        }
        expectBools(all(actual == stack(planes, 1)), {}, {1});
    }
    const Tensor first = transpose(x, {0, 4, 1, 2, 3});
    expectBools(all(conv3d(first, f, {.format = DataFormat::nchw}) == transpose(conv3d(x, f), {0, 4, 1, 2, 3})), {}, {1});
    expectFloats(conv3d(counting({1, 2, 1, 2, 1}), tensor({1, 10, 100, 1000}, Shape{2, 1, 2, 1, 1})), {1, 1, 1, 1, 1}, {3210});
    expectFloats(conv3d(counting({2, 1, 1, 1}), tensor({1, 10}, Shape{2, 1, 1, 1, 1})), {1, 1, 1, 1}, {10});
}

BOOST_AUTO_TEST_CASE(a_transposed_convolution_puts_filters_where_the_input_is) {
    const Tensor f = tensor({1, 2, 3, 4}, Shape{2, 2, 1, 1});
    expectFloats(conv2dTranspose(tensor({2}, Shape{1, 1, 1}), f, {2, 2, 1}), {2, 2, 1}, {2, 4, 6, 8});
    expectFloats(conv2dTranspose(tensor({1, 10}, Shape{1, 1, 2, 1}), f, {1, 2, 3, 1}), {1, 2, 3, 1}, {1, 12, 20, 3, 34, 40});
    expectFloats(conv2dTranspose(tensor({1, 10}, Shape{1, 1, 2, 1}), f, {1, 2, 4, 1}, {.strides = 2}), {1, 2, 4, 1},
                 {1, 2, 10, 20, 3, 4, 30, 40});
    // What a convolution of the output would not have takes no part.
    expectFloats(conv2dTranspose(tensor({1, 10, 100, 1000}, Shape{1, 2, 2, 1}), f, {1, 2, 2, 1}), {1, 2, 2, 1}, {1, 2, 3, 4});
}

BOOST_AUTO_TEST_CASE(transposed_convolutions_are_adjoint) {
    // <conv(x), y> = <x, convTranspose(y)>, exact in small integers.
    for (const std::int64_t channels : {3, 4}) {
        const Tensor x = images({2, 5, 6, 7, channels}), f = filters({3, 2, 3, channels, 4});
        const Tensor image = images({2, 6, 7, channels}), taps = filters({2, 3, channels, 4});
        for (const Conv3dOptions& o : geometries()) {
            const Tensor y = conv3d(x, f, o), weights = counting(y.shape()) % 5.0F;
            expectBools(sum(y * weights) == sum(x * conv3dTranspose(weights, f, x.shape(), o)), {}, {1});
            const Tensor flat = conv2d(image, taps, plane(o)), flatWeights = counting(flat.shape()) % 5.0F;
            expectBools(sum(flat * flatWeights) == sum(image * conv2dTranspose(flatWeights, taps, image.shape(), plane(o))), {},
                        {1});
        }
    }
}

BOOST_AUTO_TEST_CASE(dilation_adds_the_filter_and_takes_the_largest) {
    const Tensor x = tensor({1, 2, 3, 4, 5, 6, 7, 8, 9}, Shape{3, 3, 1}), f = tensor({0, 5, 2, 0}, Shape{2, 2, 1});
    expectFloats(dilation2d(x, f), {2, 2, 1}, {7, 8, 10, 11});
    expectFloats(dilation2d(x, f, {.padding = Padding::same()}), {3, 3, 1}, {7, 8, 8, 10, 11, 11, 13, 14, 9});
    expectFloats(dilation2d(x, f, {.strides = 2, .padding = Padding::same(), .dilations = 2}), {2, 2, 1}, {5, 7, 10, 5});
    expectInts(dilation2d(cast(x, DType::int32), cast(f, DType::int32)), {2, 2, 1}, {7, 8, 10, 11});
    expectFloats(dilation2d(tensor({NaN, 1, -infinity}, Shape{1, 3, 1}), zeros({1, 2, 1})), {1, 2, 1}, {1, 1});
    expectFloats(dilation2d(reshape(x, {1, 1, 3, 3}), f, {.format = DataFormat::nchw}), {1, 1, 2, 2}, {7, 8, 10, 11});
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
    expectFloats(conv2d(zeros({1, 2, 0, 1}), ones({1, 1, 1, 1}), {.padding = Padding::all(1)}), {1, 4, 2, 1},
                 std::vector<double>(8, 0));
    expectFloats(conv3d(ones({1, 1, 2, 2, 1}), ones({2, 1, 1, 1, 1})), {1, 0, 2, 2, 1}, {});
    expectFloats(conv3d(zeros({1, 2, 2, 2, 0}), ones({2, 2, 2, 0, 1})), {1, 1, 1, 1, 1}, {0});
    expectFloats(conv2dTranspose(zeros({1, 0, 0, 1}), ones({3, 3, 1, 1}), {1, 2, 2, 1}), {1, 2, 2, 1}, {0, 0, 0, 0});
    expectFloats(conv3dTranspose(zeros({1, 0, 2, 2, 1}), ones({2, 1, 1, 1, 1}), {1, 1, 2, 2, 1}), {1, 1, 2, 2, 1},
                 {0, 0, 0, 0});
    expectFloats(dilation2d(zeros({0, 3, 3, 1}), ones({2, 2, 1})), {0, 2, 2, 1}, {});
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
    expectError(errc::invalid_argument, {"conv1d", "[2, 2, 1, 1]"},
                [] { (void)conv1d(zeros({2, 2, 1}), zeros({2, 2, 1, 1})); });
    expectError(errc::invalid_argument, {"conv1d", "dilations 0"},
                [] { (void)conv1d(zeros({2, 2, 1}), zeros({1, 1, 1}), {.dilation = 0}); });
    expectError(errc::invalid_argument, {"conv3d", "[4, 4, 3]"},
                [] { (void)conv3d(zeros({4, 4, 3}), zeros({1, 1, 1, 3, 1})); });
    expectError(errc::invalid_argument, {"conv2dTranspose", "[1, 4, 4, 3]", "[1, 9, 9, 1]", "8 × 8"},
                [&] { (void)conv2dTranspose(x, zeros({2, 2, 1, 3}), {1, 9, 9, 1}); });
    expectError(errc::invalid_argument, {"conv3dTranspose", "[2, 2, 2]"},
                [] { (void)conv3dTranspose(zeros({1, 1, 1, 1}), zeros({2, 2, 2, 1, 1}), {2, 2, 2}); });
    expectError(errc::invalid_argument, {"separableConv2d", "[1, 1, 2, 1]", "[1, 1, 3"},
                [&] { (void)separableConv2d(x, zeros({2, 2, 3, 1}), zeros({1, 1, 2, 1})); });
    expectError(errc::invalid_argument, {"dilation2d", "[2, 2]"}, [&] { (void)dilation2d(x, zeros({2, 2})); });
    expectError(errc::wrong_dtype, {"dilation2d", "int32"}, [&] { (void)dilation2d(x, zeros({2, 2, 3}, DType::int32)); });
}
