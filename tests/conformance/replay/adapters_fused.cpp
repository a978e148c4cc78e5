#include <array>

#include <stile/ops/fused.hpp>

#include "geometry.hpp"
#include "table.hpp"

namespace replay {
namespace {

using stile::fused::Activation;

// One argument: an object.

stile::fused::Epilogue epilogue(const Argument& a) {
    return {.bias = a["bias"].optionalTensor(),
            .activation = a["activation"].choice<Activation>({{"linear", Activation::linear},
                                                              {"relu", Activation::relu},
                                                              {"relu6", Activation::relu6},
                                                              {"elu", Activation::elu},
                                                              {"prelu", Activation::prelu},
                                                              {"leakyrelu", Activation::leakyRelu},
                                                              {"sigmoid", Activation::sigmoid}},
                                                             Activation::linear),
            .preluWeights = a["preluActivationWeights"].optionalTensor(),
            .leakyReluAlpha = static_cast<float>(a["leakyreluAlpha"].number(0.2))};
}

template <auto convolve>
Results convolution(const Arguments& all) {
    const Argument a = all[0];
    return convolve(a["x"].tensor(), a["filter"].tensor(),
                    {.strides = pair(a["strides"], 1),
                     .padding = padding(a["pad"], format(a["dataFormat"])),
                     .dilations = pair(a["dilations"], 1),
                     .format = format(a["dataFormat"]),
                     .rounding = rounding(a["dimRoundingMode"])},
                    epilogue(a));
}

Results matMul(const Arguments& all) {
    const Argument a = all[0];
    return stile::fused::matMul(a["a"].tensor(), a["b"].tensor(), epilogue(a), a["transposeA"].flag(false),
                                a["transposeB"].flag(false));
}

const std::array rows{
    Row{"fused.matMul", matMul},
    Row{"fused.conv2d", convolution<stile::fused::conv2d>},
    Row{"fused.depthwiseConv2d", convolution<stile::fused::depthwiseConv2d>},
};

}  // namespace

std::span<const Row> fusedRows() { return rows; }

}  // namespace replay
