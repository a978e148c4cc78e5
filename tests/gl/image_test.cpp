#define BOOST_TEST_MODULE image
#include "values.hpp"

using namespace stile;
using namespace test;
using image::resizeBilinear;
using image::resizeNearestNeighbor;
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

BOOST_AUTO_TEST_CASE(wrong_arguments_throw_at_the_call) {
    const Tensor x = zeros({1, 2, 2, 1});
    expectError(errc::invalid_argument, {"resizeBilinear", "[2, 2]"}, [] { (void)resizeBilinear(zeros({2, 2}), 3); });
    expectError(errc::invalid_argument, {"resizeBilinear", "0"}, [&] { (void)resizeBilinear(x, {0, 3}); });
    expectError(errc::invalid_argument, {"resizeNearestNeighbor", "alignCorners", "halfPixelCenters"},
                [&] { (void)resizeNearestNeighbor(x, 3, {.alignCorners = true, .halfPixelCenters = true}); });
    expectError(errc::invalid_argument, {"resizeNearestNeighbor", "[1, 0, 2, 1]"},
                [] { (void)resizeNearestNeighbor(zeros({1, 0, 2, 1}), 3); });
    expectError(errc::invalid_argument, {"resizeBilinear", "2^31"}, [&] { (void)resizeBilinear(x, std::int64_t{1} << 40); });
}
