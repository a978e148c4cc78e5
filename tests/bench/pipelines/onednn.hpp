#pragma once

#include <cstdint>

#include "row.hpp"

namespace bench {

/// batch products of rows × inner and inner × columns, by oneDNN on all cores. No side where there is no oneDNN.
[[nodiscard]] Bound onednnMatMul(std::int64_t batch, std::int64_t rows, std::int64_t inner, std::int64_t columns);

/// A convolution with padding "same" of a square image, or a depthwise one of as many filters as channels.
struct ConvWork {
    std::int64_t size, channels, filters, taps, stride;
    bool depthwise = false;
};
/// The same by oneDNN: images as NHWC, the filters in the order that it likes best.
[[nodiscard]] Bound onednnConv(const ConvWork& work);

}  // namespace bench
