#include <array>

#include <stile/ops/conv.hpp>
#include <stile/ops/pool.hpp>

#include "geometry.hpp"
#include "table.hpp"

namespace replay {
namespace {

using stile::DataFormat;

/// x, filter, strides, pad, dataFormat, dilations, dimRoundingMode.
template <auto convolve>
Results convolution(const Arguments& a) {
    return convolve(a[0].tensor(), a[1].tensor(),
                    {.strides = pair(a[2], 1),
                     .padding = padding(a[3], format(a[4])),
                     .dilations = pair(a[5], 1),
                     .format = format(a[4]),
                     .rounding = rounding(a[6])});
}

Results conv1d(const Arguments& a) {
    return stile::conv1d(a[0].tensor(), a[1].tensor(),
                         {.stride = a[2].integer(1),
                          .padding = padding(a[3], DataFormat::nhwc),
                          .dilation = a[5].integer(1),
                          .format = format(a[4]),
                          .rounding = rounding(a[6])});
}

/// x, filter, strides, pad, dataFormat, dilations.
Results conv3d(const Arguments& a) {
    return stile::conv3d(a[0].tensor(), a[1].tensor(),
                         {.strides = triple(a[2], 1),
                          .padding = padding(a[3], format(a[4])),
                          .dilations = triple(a[5], 1),
                          .format = format(a[4])});
}

/// x, filter, outputShape, strides, pad, dimRoundingMode.
Results conv2dTranspose(const Arguments& a) {
    return stile::conv2dTranspose(
        a[0].tensor(), a[1].tensor(), a[2].shape(),
        {.strides = pair(a[3], 1), .padding = padding(a[4], DataFormat::nhwc), .rounding = rounding(a[5])});
}
Results conv3dTranspose(const Arguments& a) {
    return stile::conv3dTranspose(a[0].tensor(), a[1].tensor(), a[2].shape(),
                                  {.strides = triple(a[3], 1), .padding = padding(a[4], DataFormat::nhwc)});
}

/// x, depthwiseFilter, pointwiseFilter, strides, pad, dilations, dataFormat.
Results separableConv2d(const Arguments& a) {
    return stile::separableConv2d(
        a[0].tensor(), a[1].tensor(), a[2].tensor(),
        {.strides = pair(a[3], 1), .padding = padding(a[4], format(a[6])), .dilations = pair(a[5], 1), .format = format(a[6])});
}

/// x, filter, strides, pad, dilations, dataFormat.
Results dilation2d(const Arguments& a) {
    return stile::dilation2d(
        a[0].tensor(), a[1].tensor(),
        {.strides = pair(a[2], 1), .padding = padding(a[3], format(a[5])), .dilations = pair(a[4], 1), .format = format(a[5])});
}

/// x, filterSize, strides, pad, dimRoundingMode.
template <auto pool>
Results pooling(const Arguments& a) {
    return pool(a[0].tensor(), pair(a[1], 1),
                {.strides = pair(a[2], 1), .padding = padding(a[3], DataFormat::nhwc), .rounding = rounding(a[4])});
}

/// x, filterSize, strides, pad, dimRoundingMode, dataFormat.
template <auto pool>
Results pooling3d(const Arguments& a) {
    return pool(a[0].tensor(), triple(a[1], 1),
                {.strides = triple(a[2], 1),
                 .padding = padding(a[3], DataFormat::nhwc),
                 .format = format(a[5]),
                 .rounding = rounding(a[4])});
}

/// x, windowShape, poolingType, pad, dilations, strides, dimRoundingMode.
Results pool(const Arguments& a) {
    return stile::pool(a[0].tensor(), pair(a[1], 1),
                       a[2].choice<stile::Pooling>({{"max", stile::Pooling::max}, {"avg", stile::Pooling::average}}),
                       {.strides = pair(a[5], 1),
                        .padding = padding(a[3], DataFormat::nhwc),
                        .dilations = pair(a[4], 1),
                        .rounding = rounding(a[6])});
}

/// x, filterSize, strides, pad, includeBatchInIndex.
Results maxPoolWithArgmax(const Arguments& a) {
    const auto pooled = stile::maxPoolWithArgmax(
        a[0].tensor(), pair(a[1], 1), {.strides = pair(a[2], 1), .padding = padding(a[3], DataFormat::nhwc)}, a[4].flag(false));
    return Results::Members{{"result", pooled.result}, {"indexes", pooled.indexes}};
}

const std::array rows{
    Row{"conv1d", conv1d},
    Row{"conv2d", convolution<stile::conv2d>},
    Row{"conv2dTranspose", conv2dTranspose},
    Row{"conv3d", conv3d},
    Row{"conv3dTranspose", conv3dTranspose},
    Row{"depthwiseConv2d", convolution<stile::depthwiseConv2d>},
    Row{"separableConv2d", separableConv2d},
    Row{"dilation2d", dilation2d},
    Row{"pool", pool},
    Row{"maxPool", pooling<stile::maxPool>},
    Row{"avgPool", pooling<stile::avgPool>},
    Row{"maxPool3d", pooling3d<stile::maxPool3d>},
    Row{"avgPool3d", pooling3d<stile::avgPool3d>},
    Row{"maxPoolWithArgmax", maxPoolWithArgmax},
};

}  // namespace

std::span<const Row> windowRows() { return rows; }

}  // namespace replay
