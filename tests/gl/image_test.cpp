#define BOOST_TEST_MODULE image
#include "values.hpp"

using namespace stile;
using namespace test;
using image::cropAndResize;
using image::resizeBilinear;
using image::resizeNearestNeighbor;
using image::rotateWithOffset;
using image::transform;
BOOST_TEST_GLOBAL_FIXTURE(ValueDevice);

BOOST_AUTO_TEST_CASE(bilinear_enlarges) {
    const Tensor x = tensor({1, 2, 3, 4}, Shape{2, 2, 1});
    expectFloats(resizeBilinear(x, 3), {3, 3, 1}, {1, 5.0 / 3, 2, 7.0 / 3, 3, 10.0 / 3, 3, 11.0 / 3, 4}, 2e-7);
    expectFloats(resizeBilinear(x, 3, {.alignCorners = true}), {3, 3, 1}, {1, 1.5, 2, 2, 2.5, 3, 3, 3.5, 4});
    expectFloats(resizeBilinear(x, 4, {.halfPixelCenters = true}), {4, 4, 1},
                 {1, 1.25, 1.75, 2, 1.5, 1.75, 2.25, 2.5, 2.5, 2.75, 3.25, 3.5, 3, 3.25, 3.75, 4});
}

BOOST_AUTO_TEST_CASE(bilinear_shrinks_and_keeps) {
    const Tensor x = counting({1, 4, 4, 1});
    expectFloats(resizeBilinear(x, 2), {1, 2, 2, 1}, {0, 2, 8, 10});
    expectFloats(resizeBilinear(x, 2, {.alignCorners = true}), {1, 2, 2, 1}, {0, 3, 12, 15});
    expectFloats(resizeBilinear(x, 2, {.halfPixelCenters = true}), {1, 2, 2, 1}, {2.5, 4.5, 10.5, 12.5});
    expectFloats(resizeBilinear(x, 1, {.alignCorners = true}), {1, 1, 1, 1}, {0});
    for (const image::ResizeOptions o :
         {image::ResizeOptions{}, image::ResizeOptions{.alignCorners = true}, image::ResizeOptions{.halfPixelCenters = true}}) {
        expectBools(all(resizeBilinear(x, 4, o) == x), {}, {1});
        expectBools(all(resizeNearestNeighbor(x, 4, o) == x), {}, {1});
    }
}

BOOST_AUTO_TEST_CASE(bilinear_gives_float32_for_every_dtype) {
    expectFloats(resizeBilinear(tensor({1, 2, 3, 4}, DType::int32).reshape({1, 2, 2, 1}), {1, 4}), {1, 1, 4, 1},
                 {1, 1.5, 2, 2});
    expectFloats(resizeBilinear(reshape(bools({1, 0}), {1, 2, 1}), {1, 4}), {1, 4, 1}, {1, 0.5, 0, 0});
}

BOOST_AUTO_TEST_CASE(a_neighbour_that_does_not_count_may_be_nan) {
    expectFloats(resizeBilinear(tensor({1, NaN, 3, NaN}, Shape{1, 4, 1}), {1, 2}), {1, 2, 1}, {1, 3});
}

BOOST_AUTO_TEST_CASE(nearest_takes_one_pixel) {
    const Tensor x = counting({1, 2, 2, 2}, DType::int32);
    expectInts(resizeNearestNeighbor(x, {2, 3}), {1, 2, 3, 2}, {0, 1, 0, 1, 2, 3, 4, 5, 4, 5, 6, 7});
    expectInts(resizeNearestNeighbor(x, {1, 1}), {1, 1, 1, 2}, {0, 1});
    const Tensor row = counting({1, 5, 1});
    expectFloats(resizeNearestNeighbor(row, {1, 3}), {1, 3, 1}, {0, 1, 3});
    expectFloats(resizeNearestNeighbor(row, {1, 3}, {.alignCorners = true}), {1, 3, 1}, {0, 2, 4});
    expectFloats(resizeNearestNeighbor(row, {1, 3}, {.halfPixelCenters = true}), {1, 3, 1}, {0, 2, 4});
    expectFloats(resizeNearestNeighbor(counting({1, 2, 1}), {1, 4}, {.alignCorners = true}), {1, 4, 1}, {0, 0, 1, 1});
    expectBools(resizeNearestNeighbor(reshape(bools({1, 0}), {1, 2, 1}), {1, 4}), {1, 4, 1}, {1, 1, 0, 0});
    expectFloats(resizeNearestNeighbor(tensor({NaN, -0.0F}, Shape{1, 2, 1}), {1, 2}), {1, 2, 1}, {NaN, -0.0});
}

BOOST_AUTO_TEST_CASE(no_size_makes_a_position_slip) {
    // In floating point 0.7 · 10 / 0.7 falls below a whole number; positions are fractions of integers.
    for (const std::int64_t n : {3, 7, 10, 49, 101, 640}) {
        expectBools(all(resizeNearestNeighbor(counting({1, 7, 1}), {1, 7 * n}) ==
                        reshape(tile(counting({7, 1}), {1, n}), {1, 7 * n, 1})),
                    {}, {1});
    }
}

BOOST_AUTO_TEST_CASE(empty_batches) { expectFloats(resizeBilinear(zeros({0, 2, 2, 1}), 3), {0, 3, 3, 1}, {}); }

BOOST_AUTO_TEST_CASE(boxes_are_cut_out_and_resized) {
    const Tensor x = counting({2, 2, 3, 1});  // 0 1 2 / 3 4 5, and 6 more
    const Tensor whole = tensor({0, 0, 1, 1}, Shape{1, 4}), first = ints({0});
    expectFloats(cropAndResize(x, whole, ints({1}), {2, 3}), {1, 2, 3, 1}, {6, 7, 8, 9, 10, 11});
    expectFloats(cropAndResize(x, whole, first, {3, 5}), {1, 3, 5, 1},
                 {0, 0.5, 1, 1.5, 2, 1.5, 2, 2.5, 3, 3.5, 3, 3.5, 4, 4.5, 5});
    expectFloats(cropAndResize(x, whole, first, 1), {1, 1, 1, 1}, {2.5});
    // Flipped, beyond the edge, and of no image.
    const Tensor boxes = tensor({1, 1, 0, 0, 0, 0.5, 2, 0.5, 0, 0, 1, 1, 0, 0, 1, 1}, Shape{4, 4});
    expectFloats(cropAndResize(x, boxes, ints({0, 1, 2, -1}), {2, 2}, {.extrapolationValue = -1}), {4, 2, 2, 1},
                 {5, 3, 2, 0, 7, 7, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0});
    expectFloats(cropAndResize(x, whole, first, {3, 2}, {.method = image::Interpolation::nearest}), {1, 3, 2, 1},
                 {0, 2, 3, 5, 3, 5});
    expectFloats(cropAndResize(counting({1, 2, 2, 2}, DType::int32), whole, first, {1, 2}), {1, 1, 2, 2}, {2, 3, 4, 5});
    expectFloats(cropAndResize(x, zeros({0, 4}), zeros({0}, DType::int32), 2), {0, 2, 2, 1}, {});
    // A pixel without weight does not count.
    expectFloats(cropAndResize(tensor({1, NaN}, Shape{1, 1, 2, 1}), tensor({0, 0, 1, 0}, Shape{1, 4}), first, {1, 2}),
                 {1, 1, 2, 1}, {1, 1});
    // No size makes the last pixel slip over the edge.
    for (const std::int64_t n : {3, 7, 10, 49, 101}) {
        expectBools(any(cropAndResize(ones({1, 9, 11, 1}), tensor({0.1, 0.3, 1, 1}, Shape{1, 4}), first, n) == 0.0F), {}, {0});
    }
}

BOOST_AUTO_TEST_CASE(projections_and_what_lies_outside) {
    const Tensor x = counting({1, 1, 4, 1}) + 1.0F;  // 1 2 3 4
    const auto moved = [&](float by, image::TransformOptions options) {
        options.outputSize = {1, 8};
        return transform(x, tensor({1, 0, by, 0, 1, 0, 0, 0}, Shape{1, 8}), options);
    };
    const Shape shape{1, 1, 8, 1};
    expectFloats(moved(-2, {.fillValue = 9}), shape, {9, 9, 1, 2, 3, 4, 9, 9});
    expectFloats(moved(-2, {.fillMode = image::FillMode::nearest}), shape, {1, 1, 1, 2, 3, 4, 4, 4});
    expectFloats(moved(-2, {.fillMode = image::FillMode::reflect}), shape, {2, 1, 1, 2, 3, 4, 4, 3});
    expectFloats(moved(-2, {.fillMode = image::FillMode::wrap}), shape, {3, 4, 1, 2, 3, 4, 1, 2});
    expectFloats(moved(-0.5, {.interpolation = image::Interpolation::bilinear, .fillValue = 10}), shape,
                 {5.5, 1.5, 2.5, 3.5, 7, 10, 10, 10});
    const Tensor square = counting({2, 2, 2, 1});
    expectFloats(transform(square, tensor({0, 1, 0, 1, 0, 0, 0, 0}, Shape{1, 8})), {2, 2, 2, 1}, {0, 2, 1, 3, 4, 6, 5, 7});
    expectFloats(transform(square, tensor({1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0}, Shape{2, 8})), {2, 2, 2, 1},
                 {0, 1, 2, 3, 5, 0, 7, 0});
    // Where the divisor is 0 a point lies at infinity.
    for (const auto mode : {image::FillMode::constant, image::FillMode::nearest, image::FillMode::wrap}) {
        for (const auto between : {image::Interpolation::nearest, image::Interpolation::bilinear}) {
            expectFloats(transform(x, tensor({1, 0, 0, 0, 1, 0, -1, 0}, Shape{1, 8}),
                                   {.interpolation = between, .fillMode = mode, .fillValue = 7, .outputSize = {1, 2}}),
                         {1, 1, 2, 1}, {1, 7});
        }
    }
    expectFloats(transform(zeros({0, 2, 2, 1}), zeros({1, 8})), {0, 2, 2, 1}, {});
}

BOOST_AUTO_TEST_CASE(a_quarter_turn) {
    const double quarter = 1.5707963267948966;
    const Tensor x = counting({1, 3, 3, 1});
    // About the corner between the pixels in the middle of three, the first row comes from outside.
    expectFloats(rotateWithOffset(x, quarter, {.center = 1.0 / 3}), {1, 3, 3, 1}, {2, 5, 8, 1, 4, 7, 0, 3, 6});
    expectFloats(rotateWithOffset(x, 0), {1, 3, 3, 1}, {0, 1, 2, 3, 4, 5, 6, 7, 8});
    expectFloats(rotateWithOffset(x, quarter, {.fillValue = {9}, .center = {0, 0}}), {1, 3, 3, 1}, {0, 3, 6, 9, 9, 9, 9, 9, 9});
    const Tensor colours = counting({1, 1, 1, 4});
    const std::vector<float> fill{1, 2, 3};
    expectFloats(rotateWithOffset(colours, 0, {.fillValue = fill, .center = {0, 9}}), {1, 1, 1, 4}, {0, 1, 2, 3});
    expectFloats(rotateWithOffset(colours, 2 * quarter, {.fillValue = fill, .center = {9, 9}}), {1, 1, 1, 4}, {1, 2, 3, 255});
}

BOOST_AUTO_TEST_CASE(colours_and_mirrors) {
    const Tensor x = tensor({{{{1, 2, 3}, {100, 0, 0}}}});
    expectFloats(image::flipLeftRight(x), {1, 1, 2, 3}, {100, 0, 0, 1, 2, 3});
    expectFloats(image::rgbToGrayscale(x), {1, 1, 2, 1}, {1.8149, 29.89}, 1e-6);
    expectInts(image::rgbToGrayscale(cast(x, DType::int32)), {1, 1, 2, 1}, {1, 29});
    expectFloats(image::grayscaleToRGB(floats({1, 2}).reshape({2, 1})), {2, 3}, {1, 1, 1, 2, 2, 2});
}

BOOST_AUTO_TEST_CASE(thresholds) {
    const Tensor x = tensor({10, 12, 11, 200, 210, 12}, Shape{2, 3, 1});
    using Method = image::ThresholdMethod;
    expectInts(image::threshold(x), {2, 3, 1}, {0, 0, 0, 255, 255, 0});
    expectInts(image::threshold(x, {.value = 200.0F / 255}), {2, 3, 1}, {0, 0, 0, 0, 255, 0});
    expectInts(image::threshold(x, {.inverted = true}), {2, 3, 1}, {255, 255, 255, 0, 0, 255});
    expectInts(image::threshold(x, {.method = Method::otsu}), {2, 3, 1}, {0, 0, 0, 255, 255, 0});
    expectInts(image::threshold(cast(x, DType::int32), {.method = Method::otsu, .inverted = true}), {2, 3, 1},
               {255, 255, 255, 0, 0, 255});
    expectInts(image::threshold(tensor({0, 0, 200, 0, 250, 0}, Shape{1, 2, 3}), {.method = Method::otsu}), {1, 2, 1}, {0, 255});
    // One level parts into nothing: all are above.
    expectInts(image::threshold(fill({1, 2, 1}, 7), {.method = Method::otsu}), {1, 2, 1}, {255, 255});
}

BOOST_AUTO_TEST_CASE(wrong_arguments_throw_at_the_call) {
    const Tensor x = zeros({1, 2, 2, 1});
    expectError(errc::invalid_argument, {"resizeBilinear", "[2, 2]"}, [] { (void)resizeBilinear(zeros({2, 2}), 3); });
    expectError(errc::invalid_argument, {"resizeBilinear", "0"}, [&] { (void)resizeBilinear(x, {0, 3}); });
    expectError(errc::invalid_argument, {"resizeNearestNeighbor", "alignCorners", "halfPixelCenters"},
                [&] { (void)resizeNearestNeighbor(x, 3, {.alignCorners = true, .halfPixelCenters = true}); });
    expectError(errc::invalid_argument, {"resizeNearestNeighbor", "[1, 0, 2, 1]"},
                [] { (void)resizeNearestNeighbor(zeros({1, 0, 2, 1}), 3); });
    const Tensor box = zeros({1, 4}), first = ints({0});
    expectError(errc::invalid_argument, {"cropAndResize", "[1, 3]"}, [&] { (void)cropAndResize(x, zeros({1, 3}), first, 1); });
    expectError(errc::invalid_argument, {"cropAndResize", "[2]"}, [&] { (void)cropAndResize(x, box, ints({0, 0}), 1); });
    expectError(errc::invalid_argument, {"cropAndResize", "0"}, [&] { (void)cropAndResize(x, box, first, {0, 1}); });
    expectError(errc::wrong_dtype, {"cropAndResize", "boxIndices"}, [&] { (void)cropAndResize(x, box, floats({0}), 1); });
    expectError(errc::invalid_argument, {"transform", "[2, 8]"}, [&] { (void)transform(x, zeros({2, 8})); });
    expectError(errc::wrong_dtype, {"transform", "int32"}, [&] { (void)transform(cast(x, DType::int32), zeros({1, 8})); });
    expectError(errc::wrong_dtype, {"rotateWithOffset", "int32"}, [&] { (void)rotateWithOffset(cast(x, DType::int32), 1); });
    expectError(errc::invalid_argument, {"rotateWithOffset", "2 fill"}, [&] {
        const std::vector<float> fill{1, 2};
        (void)rotateWithOffset(x, 1, {.fillValue = fill});
    });
    expectError(errc::invalid_argument, {"flipLeftRight", "[3]"}, [] { (void)image::flipLeftRight(zeros({3})); });
    expectError(errc::invalid_argument, {"grayscaleToRGB", "[3]"}, [] { (void)image::grayscaleToRGB(zeros({3})); });
    expectError(errc::invalid_argument, {"rgbToGrayscale", "[1, 1, 3, 2]"},
                [] { (void)image::rgbToGrayscale(zeros({1, 1, 3, 2})); });
    expectError(errc::invalid_argument, {"threshold", "[2, 2]"}, [] { (void)image::threshold(zeros({2, 2})); });
    expectError(errc::wrong_dtype, {"threshold", "bool"}, [] { (void)image::threshold(zeros({2, 2, 1}, DType::boolean)); });
    expectError(errc::invalid_argument, {"resizeBilinear", "2^31"}, [&] { (void)resizeBilinear(x, std::int64_t{1} << 40); });
}
