#include "stile/ops/signal.hpp"

#include <bit>
#include <cmath>
#include <numbers>

#include "ops/check.hpp"
#include "stile/create.hpp"
#include "stile/ops/elementwise.hpp"
#include "stile/ops/shape.hpp"
#include "stile/ops/spectral.hpp"

namespace stile {

std::int64_t enclosingPowerOfTwo(std::int64_t value) {
    if (value < 1 || value > std::int64_t{1} << 62) ops::fail("enclosingPowerOfTwo", "{}", value);
    return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(value)));
}

Tensor cosineWindow(std::int64_t length, double a, double b) {
    if (length < 1) ops::fail("cosineWindow", "length {}", length);
    (void)ops::shapeOf("cosineWindow", {length});
    if (length == 1) return ones({1});
    const auto period = static_cast<double>(length % 2 == 0 ? length : length - 1);
    std::vector<float> values;
    values.reserve(static_cast<std::size_t>(length));
    for (std::int64_t i = 0; i < length; ++i) {
        values.push_back(static_cast<float>(a - b * std::cos(2 * std::numbers::pi * static_cast<double>(i) / period)));
    }
    return tensor(std::move(values));
}

namespace signal {

Tensor hannWindow(std::int64_t length) { return cosineWindow(length, 0.5, 0.5); }
Tensor hammingWindow(std::int64_t length) { return cosineWindow(length, 0.54, 0.46); }

Tensor frame(const Tensor& signal, std::int64_t length, std::int64_t step, const FrameOptions& options) {
    if (signal.rank() == 0) ops::fail("frame", "the signal is a scalar");
    if (length < 1 || step < 1) ops::fail("frame", "length {}, step {}, signal {}", length, step, toString(signal.shape()));
    const std::int64_t n = signal.shape()[-1];
    Tensor whole = signal;
    std::int64_t frames = n < length ? 0 : (n - length) / step + 1;
    if (options.padEnd && n > 0) {
        frames = (n - 1) / step + 1;
        const std::int64_t reach = (frames - 1) * step + std::min(length, ops::beyondInt32);
        if (reach > n) {
            std::vector<std::pair<std::int64_t, std::int64_t>> paddings(static_cast<std::size_t>(signal.rank()), {0, 0});
            paddings.back().second = reach - n;
            whole = pad(signal, paddings, options.padValue);
        }
    }
    std::vector<std::int64_t> extents = ops::extentsOf(signal.shape());
    extents.back() = frames;
    extents.push_back(length);
    detail::prim::Strided what{.extents = extents, .strides = ops::stridesOf(whole.shape())};
    what.strides.back() = step;
    what.strides.push_back(1);
    return ops::record("frame", std::move(what), ops::shapeOf("frame", extents), signal.dtype(), {whole});
}

Tensor stft(const Tensor& signal, std::int64_t frameLength, std::int64_t frameStep, const StftOptions& options) {
    ops::expect("stft", "signal", signal, DType::float32);
    const Tensor frames = frame(signal, frameLength, frameStep);
    const Tensor window = options.window(frameLength);
    if (window.shape() != Shape{frameLength}) {
        ops::fail("stft", "a window of shape {} for frames of {}", toString(window.shape()), frameLength);
    }
    return rfft(frames * window, options.fftLength < 0 ? enclosingPowerOfTwo(frameLength) : options.fftLength);
}

}  // namespace signal
}  // namespace stile
