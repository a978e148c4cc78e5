#include <array>

#include <stile/ops/conv.hpp>
#include <stile/ops/pool.hpp>

#include "table.hpp"

namespace replay {
namespace {

using stile::ConvOptions;
using stile::DataFormat;
using stile::Padding;
using stile::Pair;
using stile::PoolOptions;
using stile::Rounding;

/// A number for both directions, or a list of two.
Pair pair(const Argument& argument, std::int64_t otherwise) {
    if (!argument.given()) return otherwise;
    const auto numbers = argument.integers();
    if (numbers.size() == 1) return numbers[0];
    if (numbers.size() != 2) argument.mismatch("no pair");
    return {numbers[0], numbers[1]};
}

/// "same", "valid", a number for all sides, or pairs for the four axes (`nchw` says which are the image's).
Padding padding(const Argument& argument, DataFormat format) {
    if (argument.isNumber()) {
        const auto n = argument.integer();
        return Padding::amounts(n, n, n, n);
    }
    if (argument.isList()) {
        const int rows = format == DataFormat::nhwc ? 1 : 2;
        const auto vertical = argument[rows].integers();
        const auto horizontal = argument[rows + 1].integers();
        if (vertical.size() != 2 || horizontal.size() != 2) argument.mismatch("no pairs");
        return Padding::amounts(vertical[0], vertical[1], horizontal[0], horizontal[1]);
    }
    return argument.choice<Padding>({{"same", Padding::same()}, {"valid", Padding::valid()}});
}

Rounding rounding(const Argument& argument) {
    return argument.choice<Rounding>({{"floor", Rounding::floor}, {"ceil", Rounding::ceil}, {"round", Rounding::round}},
                                     Rounding::exact);
}

DataFormat format(const Argument& argument) {
    return argument.choice<DataFormat>({{"NHWC", DataFormat::nhwc}, {"NCHW", DataFormat::nchw}}, DataFormat::nhwc);
}

/// x, filter, strides, pad, dataFormat, dilations, dimRoundingMode.
template <auto convolve>
Results convolution(const Arguments& a) {
    const ConvOptions options{.strides = pair(a[2], 1),
                              .padding = padding(a[3], format(a[4])),
                              .dilations = pair(a[5], 1),
                              .format = format(a[4]),
                              .rounding = rounding(a[6])};
    return convolve(a[0].tensor(), a[1].tensor(), options);
}

/// x, filterSize, strides, pad, dimRoundingMode.
template <auto pool>
Results pooling(const Arguments& a) {
    const PoolOptions options{.strides = pair(a[2], 1), .padding = padding(a[3], DataFormat::nhwc), .rounding = rounding(a[4])};
    return pool(a[0].tensor(), pair(a[1], 1), options);
}

const std::array rows{
    Row{"conv2d", convolution<stile::conv2d>},
    Row{"depthwiseConv2d", convolution<stile::depthwiseConv2d>},
    Row{"maxPool", pooling<stile::maxPool>},
    Row{"avgPool", pooling<stile::avgPool>},
};

}  // namespace

std::span<const Row> windowRows() { return rows; }

}  // namespace replay
