#define BOOST_TEST_MODULE losses
#include "values.hpp"

using namespace stile;
using namespace test;
BOOST_TEST_GLOBAL_FIXTURE(ValueDevice);

BOOST_AUTO_TEST_CASE(weights_and_reductions) {
    using losses::computeWeightedLoss;
    const Tensor x = floats({1, 2, 3}), w = floats({0.5F, 0, 2});
    expectFloats(computeWeightedLoss(x), {}, {2});
    expectFloats(computeWeightedLoss(x, {.reduction = Reduction::none}), {3}, {1, 2, 3});
    expectFloats(computeWeightedLoss(x, {.reduction = Reduction::sum}), {}, {6});
    expectFloats(computeWeightedLoss(x, {.weights = w}), {}, {3.25});
    expectFloats(computeWeightedLoss(x, {.weights = w, .reduction = Reduction::none}), {3}, {0.5, 0, 6});
    expectFloats(computeWeightedLoss(x, {.weights = w, .reduction = Reduction::mean}), {}, {2.6}, 1e-6);
    const Tensor rows = counting({2, 3});
    // One weight for each column counts for both rows.
    expectFloats(computeWeightedLoss(rows, {.weights = reshape(w, {1, 3})}), {}, {3.875}, 1e-6);
    expectFloats(computeWeightedLoss(rows, {.weights = w, .reduction = Reduction::mean}), {}, {3.1}, 1e-6);
    expectFloats(computeWeightedLoss(rows, {.weights = Tensor(2), .reduction = Reduction::sum}), {}, {30});
    expectError(errc::invalid_argument, {"computeWeightedLoss", "[2]", "[3]"},
                [&] { (void)computeWeightedLoss(x, {.weights = zeros({2})}); });
}

BOOST_AUTO_TEST_CASE(losses_of_single_elements) {
    const auto each = Reduction::none;
    const Tensor y = floats({0, 1, 1}), p = floats({0.5F, 0.25F, 3});
    expectFloats(losses::absoluteDifference(y, p, {.reduction = each}), {3}, {0.5, 0.75, 2});
    expectFloats(losses::meanSquaredError(y, p, {.reduction = each}), {3}, {0.25, 0.5625, 4});
    expectFloats(losses::hingeLoss(y, p, {.reduction = each}), {3}, {1.5, 0.75, 0});
    expectFloats(losses::huberLoss(y, p, {.delta = 0.5, .reduction = each}), {3}, {0.125, 0.25, 0.875});
    expectFloats(losses::logLoss(floats({0, 1}), floats({0.5F, 0.25F}), {.epsilon = 0, .reduction = each}), {2},
                 {std::log(2.0), std::log(4.0)}, 1e-6);
    expectFloats(losses::cosineDistance(tensor({{1, 0}, {0, 1}}), tensor({{0, 1}, {0, 1}}), 1, {.reduction = each}), {2, 1},
                 {1, 0});
    expectFloats(losses::sigmoidCrossEntropy(floats({0, 1, 0}), floats({1000, 1000, 0}), {.reduction = each}), {3},
                 {1000, 0, std::log(2.0)}, 1e-6);
    expectFloats(losses::sigmoidCrossEntropy(floats({1}), floats({2}), {.labelSmoothing = 0.5}), {},
                 {2 - 1.5 + std::log1p(std::exp(-2.0))}, 1e-6);
    expectFloats(losses::softmaxCrossEntropy(tensor({{1, 0}, {0, 1}}), tensor({{1000, 0}, {1000, 1000}}), {.reduction = each}),
                 {2}, {0, std::log(2.0)}, 1e-6);
    expectFloats(losses::softmaxCrossEntropy(tensor({1, 0}), tensor({0, 0}), {.labelSmoothing = 1}), {}, {std::log(2.0)}, 1e-6);
    expectError(errc::invalid_argument, {"huberLoss", "[3]", "[2]"}, [&] { (void)losses::huberLoss(y, zeros({2})); });
    expectError(errc::invalid_argument, {"logLoss", "[3]", "[]"}, [&] { (void)losses::logLoss(y, 1.0F); });
}

BOOST_AUTO_TEST_CASE(confusions_are_counted) {
    const Tensor labels = ints({0, 1, 2, 1, 0}), predictions = ints({0, 2, 2, 1, 7});
    expectInts(math::confusionMatrix(labels, predictions, 3), {3, 3}, {1, 0, 0, 0, 1, 1, 0, 0, 1});
    expectInts(math::confusionMatrix(zeros({0}), zeros({0}), 1), {1, 1}, {0});
    expectError(errc::invalid_argument, {"confusionMatrix", "[5]", "[3]"},
                [&] { (void)math::confusionMatrix(labels, zeros({3}), 3); });
    expectError(errc::invalid_argument, {"confusionMatrix", "0 classes"},
                [&] { (void)math::confusionMatrix(labels, labels, 0); });
}

BOOST_AUTO_TEST_CASE(recurrent_cells) {
    // One input and one unit, everything 1 but the bias of the output gate.
    const auto cell = [](const Tensor& data, const Tensor& c, const Tensor& h) {
        return basicLSTMCell(0.5F, ones({2, 4}), floats({0, 0, 0, -1}), data, c, h);
    };
    const auto sigma = [](double x) { return 1 / (1 + std::exp(-x)); };
    const Tensor data = fill({1, 1}, 0.25), c = fill({1, 1}, 2), h = fill({1, 1}, 0.75);
    const double next = sigma(1) * std::tanh(1.0) + 2 * sigma(1.5), out = std::tanh(next) * sigma(0);
    const CellState state = cell(data, c, h);
    expectFloats(state.c, {1, 1}, {next}, 1e-6);
    expectFloats(state.h, {1, 1}, {out}, 1e-6);
    const CellStates both = multiRNNCell({cell, cell}, data, {c, c}, {h, h});
    const CellState second = cell(state.h, c, h);
    expectFloats(both.h[1] - second.h, {1, 1}, {0});
    expectFloats(both.c[0] - state.c, {1, 1}, {0});
    expectError(errc::invalid_argument, {"basicLSTMCell", "[2, 3]"},
                [&] { (void)basicLSTMCell(1.0F, zeros({2, 3}), zeros({4}), data, c, h); });
    expectError(errc::invalid_argument, {"multiRNNCell", "2 cells", "1"},
                [&] { (void)multiRNNCell({cell, cell}, data, {c}, {h, h}); });
}

BOOST_AUTO_TEST_CASE(dropout_drops_about_so_many_and_keeps_the_mean) {
    const Tensor x = ones({100, 100}), y = dropout(x, 0.25, 7);
    expectBools(all(logicalOr(y == 0.0F, abs(y - 4.0F / 3) < 1e-6F)), {}, {1});
    expectBools(abs(mean(y) - 1.0F) < 0.03F, {}, {1});
    expectBools(all(y == dropout(x, 0.25, 7)), {}, {1});
    const Tensor rows = dropout(x, 0.5, 1, {-1, 1});
    expectBools(all(max(rows, 1) == min(rows, 1)), {}, {1});
    expectBools(logicalAnd(any(rows == 0.0F), any(rows == 2.0F)), {}, {1});
    expectFloats(dropout(floats({1, NaN}), 0, 1), {2}, {1, NaN});
    expectError(errc::invalid_argument, {"dropout", "1.5"}, [&] { (void)dropout(x, 1.5, 1); });
    expectError(errc::invalid_argument, {"dropout", "[3]"}, [&] { (void)dropout(x, 0.5, 1, {3}); });
    expectError(errc::wrong_dtype, {"dropout", "int32"}, [] { (void)dropout(ints({1}), 0.5, 1); });
}

BOOST_AUTO_TEST_CASE(moving_averages) {
    expectFloats(movingAverage(floats({0, 4}), floats({8, 8}), 0.75F), {2}, {2, 5});
    expectFloats(movingAverage(floats({0}), floats({8}), 0.75F, Tensor(1)), {1}, {8});
    expectError(errc::invalid_argument, {"movingAverage", "[1]", "[2]"},
                [] { (void)movingAverage(zeros({1}), zeros({2}), 0.5F); });
    expectError(errc::wrong_dtype, {"movingAverage"}, [] { (void)movingAverage(zeros({1}), ints({1}), 0.5F); });
}

BOOST_AUTO_TEST_CASE(windows_and_frames_of_signals) {
    BOOST_TEST(enclosingPowerOfTwo(1) == 1);
    BOOST_TEST(enclosingPowerOfTwo(8) == 8);
    BOOST_TEST(enclosingPowerOfTwo(9) == 16);
    expectFloats(signal::hannWindow(4), {4}, {0, 0.5, 1, 0.5}, 1e-6);
    expectFloats(signal::hammingWindow(3) * 1.0F, {3}, {0.08, 1, 0.08}, 1e-6);
    expectFloats(cosineWindow(1, 0.5, 0.5), {1}, {1});
    const Tensor x = counting({5}) + 1.0F;
    expectFloats(signal::frame(x, 3, 1), {3, 3}, {1, 2, 3, 2, 3, 4, 3, 4, 5});
    expectFloats(signal::frame(x, 4, 2, {.padEnd = true, .padValue = 9}), {3, 4}, {1, 2, 3, 4, 3, 4, 5, 9, 5, 9, 9, 9});
    expectFloats(signal::frame(x, 2, 3, {.padEnd = true}), {2, 2}, {1, 2, 4, 5});
    expectFloats(signal::frame(x, 6, 1), {0, 6}, {});
    expectInts(signal::frame(counting({2, 3}, DType::int32), 2, 1), {2, 2, 2}, {0, 1, 1, 2, 3, 4, 4, 5});
    expectFloats(signal::frame(zeros({0}), 2, 1, {.padEnd = true}), {0, 2}, {});
    expectError(errc::invalid_argument, {"frame", "step 0", "[5]"}, [&] { (void)signal::frame(x, 1, 0); });
    expectError(errc::invalid_argument, {"cosineWindow", "0"}, [] { (void)cosineWindow(0, 1, 1); });
}

BOOST_AUTO_TEST_CASE(short_time_fourier_transforms) {
    // A cosine of one turn in four samples: all of it in the second of three frequencies.
    const Tensor wave = floats({1, 0, -1, 0, 1, 0});
    const Tensor plain = signal::stft(wave, 4, 2, {.window = [](std::int64_t n) { return ones({n}); }});
    BOOST_TEST((plain.shape() == Shape{2, 3}));
    expectBools(all(abs(real(plain) - tensor({{0, 2, 0}, {0, -2, 0}})) < 1e-6F), {}, {1});
    expectBools(all(abs(imag(plain)) < 1e-6F), {}, {1});
    // von Hann's window keeps 0.5 · 0 + 1 · (-1) + 0.5 · 0 of the first frame.
    expectFloats(real(signal::stft(wave, 4, 2)), {2, 3}, {-1, 1, -1, 1, -1, 1}, 1e-6);
    BOOST_TEST((signal::stft(wave, 3, 1).shape() == Shape{4, 3}));
    BOOST_TEST((signal::stft(wave, 3, 1, {.fftLength = 6}).shape() == Shape{4, 4}));
    expectError(errc::invalid_argument, {"stft", "[3]", "4"},
                [&] { (void)signal::stft(wave, 4, 1, {.window = [](std::int64_t) { return ones({3}); }}); });
}
