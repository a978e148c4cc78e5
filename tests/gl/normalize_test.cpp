#define BOOST_TEST_MODULE normalize
#include <cmath>

#include "values.hpp"

using namespace stile;
using namespace test;
BOOST_TEST_GLOBAL_FIXTURE(ValueDevice);

BOOST_AUTO_TEST_CASE(batches_are_normalized_by_given_moments) {
    const Tensor x = tensor({2, 4, 9, 23}, Shape{2, 2}), mean = floats({1, 2}), variance = floats({3, 15});
    const BatchNormOptions plain{.varianceEpsilon = 1};
    expectFloats(batchNorm2d(x, mean, variance, plain), {2, 2}, {0.5, 0.5, 4, 5.25}, 1e-6);
    const BatchNormOptions whole{.offset = floats({1, 2}), .scale = floats({10, 100}), .varianceEpsilon = 1};
    expectFloats(batchNorm(x, mean, variance, whole), {2, 2}, {6, 52, 41, 527}, 1e-6);
    expectFloats(batchNorm3d(reshape(x, {2, 1, 2}), mean, variance, whole), {2, 1, 2}, {6, 52, 41, 527}, 1e-6);
    expectFloats(batchNorm4d(reshape(x, {2, 1, 1, 2}), mean, variance, whole), {2, 1, 1, 2}, {6, 52, 41, 527}, 1e-6);
    // Moments of the same shape, and scalars.
    expectFloats(batchNorm2d(x, x, onesLike(x), {.offset = Tensor(3.0F)}), {2, 2}, {3, 3, 3, 3});
    expectFloats(batchNorm(zeros({0, 2}), mean, variance), {0, 2}, {});
    expectError(errc::invalid_argument, {"batchNorm", "variance", "[3]", "[2, 2]"},
                [&] { (void)batchNorm(x, mean, floats({1, 2, 3})); });
    expectError(errc::invalid_argument, {"batchNorm3d", "[2, 2]"}, [&] { (void)batchNorm3d(x, mean, variance); });
    expectError(errc::wrong_dtype, {"batchNorm", "mean", "int32"}, [&] { (void)batchNorm(x, ints({1, 2}), variance); });
}

BOOST_AUTO_TEST_CASE(responses_are_divided_by_their_neighbours) {
    const Tensor x = tensor({1, 2, 2, 4, 0}, Shape{1, 1, 5});
    // Sums of squares with one neighbour: 5, 9, 24, 20, 16.
    expectFloats(localResponseNormalization(x, {.depthRadius = 1, .bias = 0, .beta = 1}), {1, 1, 5},
                 {1.0 / 5, 2.0 / 9, 2.0 / 24, 4.0 / 20, 0}, 1e-6);
    expectFloats(localResponseNormalization(x, {.depthRadius = 9, .bias = 50, .alpha = 2}), {1, 1, 5}, {0.1, 0.2, 0.2, 0.4, 0},
                 1e-6);
    expectFloats(localResponseNormalization(reshape(x, {5, 1, 1, 1}), {.depthRadius = 0, .beta = 1}), {5, 1, 1, 1},
                 {0.5, 0.4, 0.4, 4.0 / 17, 0}, 1e-6);
    expectFloats(localResponseNormalization(zeros({0, 1, 1, 2})), {0, 1, 1, 2}, {});
    expectError(errc::invalid_argument, {"localResponseNormalization", "[2, 2]"},
                [] { (void)localResponseNormalization(zeros({2, 2})); });
    expectError(errc::invalid_argument, {"localResponseNormalization", "-1"},
                [&] { (void)localResponseNormalization(x, {.depthRadius = -1}); });
}

BOOST_AUTO_TEST_CASE(mean_and_variance) {
    const Tensor x = tensor({1, 2, 3, 5, 6, 7}, Shape{2, 3});
    const Moments all = moments(x), rows = moments(x, 1), kept = moments(x, 0, true);
    expectFloats(all.mean, {}, {4});
    expectFloats(all.variance, {}, {14.0 / 3}, 1e-6);
    expectFloats(rows.mean, {2}, {2, 6});
    expectFloats(rows.variance, {2}, {2.0 / 3, 2.0 / 3}, 1e-6);
    expectFloats(kept.mean, {1, 3}, {3, 4, 5});
    expectFloats(kept.variance, {1, 3}, {4, 4, 4});
    expectFloats(moments(ints({1, 5, 7, 3})).variance, {}, {5});
    expectFloats(moments(zeros({0})).mean, {}, {NaN});
    // Far from zero, where the mean of squares would have lost everything.
    expectFloats(moments(floats({10000000, 10000002})).variance, {}, {1});
    expectError(errc::invalid_argument, {"moments", "axis 2", "[2, 3]"}, [&] { (void)moments(x, 2); });
}

BOOST_AUTO_TEST_CASE(logarithms_of_probabilities) {
    const double sum = std::log(1 + std::exp(-1.0) + std::exp(-2.0));
    expectFloats(logSoftmax(floats({2, 1, 3})), {3}, {-1 - sum, -2 - sum, -sum}, 1e-6);
    expectFloats(logSoftmax(tensor({0, 1000, -200, 1000}, Shape{2, 2})), {2, 2}, {-1000, 0, -1200, 0});
    expectFloats(logSoftmax(tensor({0, 1000, 0, 1000}, Shape{2, 2}), 0), {2, 2}, std::vector<double>(4, -std::log(2.0)), 1e-6);
    expectFloats(logSoftmax(floats({0, -infinity})), {2}, {0, -infinity});
    expectError(errc::wrong_dtype, {"logSoftmax", "int32"}, [] { (void)logSoftmax(ints({1, 2})); });
    expectError(errc::invalid_argument, {"logSoftmax", "axis 1"}, [] { (void)logSoftmax(floats({1, 2}), 1); });
}
