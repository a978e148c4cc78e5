#include "stile/ops/fused.hpp"

#include "ops/check.hpp"
#include "stile/ops/elementwise.hpp"
#include "stile/ops/matmul.hpp"
#include "stile/ops/shape.hpp"

// Recorded as what they consist of: bias and activation become one kernel.
namespace stile::fused {
namespace {

/// An operand of the epilogue as it broadcasts to the result: one axis of channels first stands before height and width.
Tensor aligned(const char* op, const char* argument, const Tensor& x, const Tensor& result, DataFormat format) {
    const bool perChannel = format == DataFormat::nchw && x.rank() == 1 && x.size() != 1;
    const Tensor operand = perChannel ? reshape(x, {x.size(), 1, 1}) : x;
    bool fits = operand.rank() <= result.rank();
    for (int axis = 1; fits && axis <= operand.rank(); ++axis) {
        fits = operand.shape()[-axis] == 1 || operand.shape()[-axis] == result.shape()[-axis];
    }
    if (!fits)
        ops::fail(op, "{} {} does not broadcast to the result {}", argument, toString(x.shape()), toString(result.shape()));
    return operand;
}

Tensor finish(const char* op, const Tensor& product, const Epilogue& e, DataFormat format = DataFormat::nhwc) {
    if (e.activation == Activation::prelu && !e.preluWeights) {
        ops::fail(op, "prelu without preluWeights, result {}", toString(product.shape()));
    }
    const Tensor x = e.bias ? product + aligned(op, "bias", *e.bias, product, format) : product;
    switch (e.activation) {
        case Activation::linear: return x;
        case Activation::relu: return relu(x);
        case Activation::relu6: return relu6(x);
        case Activation::elu: return elu(x);
        case Activation::prelu: return prelu(x, aligned(op, "preluWeights", *e.preluWeights, product, format));
        case Activation::leakyRelu: return leakyRelu(x, e.leakyReluAlpha);
        case Activation::sigmoid: return sigmoid(x);
    }
    return x;
}

}  // namespace

Tensor matMul(const Tensor& a, const Tensor& b, const Epilogue& epilogue, bool transposeA, bool transposeB) {
    return finish("fused.matMul", stile::matMul(a, b, transposeA, transposeB), epilogue);
}
Tensor conv2d(const Tensor& x, const Tensor& filter, const ConvOptions& options, const Epilogue& epilogue) {
    return finish("fused.conv2d", stile::conv2d(x, filter, options), epilogue, options.format);
}
Tensor depthwiseConv2d(const Tensor& x, const Tensor& filter, const ConvOptions& options, const Epilogue& epilogue) {
    return finish("fused.depthwiseConv2d", stile::depthwiseConv2d(x, filter, options), epilogue, options.format);
}

}  // namespace stile::fused
