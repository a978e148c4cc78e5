#include "every_operation.hpp"

#include <cstdint>
#include <vector>

#include <stile/create.hpp>
#include <stile/ops.hpp>
#include <stile/random.hpp>

using namespace stile;

namespace {

using Get = std::function<void(const Tensor&)>;

Tensor counting(const Shape& shape, DType dtype = DType::float32) {
    const DType number = dtype == DType::boolean ? DType::int32 : dtype;
    return cast(reshape(range(0, static_cast<double>(shape.size()), 1, number), shape), dtype);
}

void elementwise(const Get& get) {
    const Tensor f = counting({6}), g = f + 1.0F, row = counting({2, 1}) + 2.0F;
    const Tensor i = counting({6}, DType::int32), j = i - 3, b = counting({6}, DType::boolean), c = !b;
    using Unary = Tensor (*)(const Tensor&);
    for (const Unary op :
         {neg,   abs,  sign,  floor, ceil, round,   square,     reciprocal, exp,   expm1, log,     log1p, sqrt,
          rsqrt, erf,  sin,   cos,   tan,  asin,    acos,       atan,       sinh,  cosh,  tanh,    asinh, acosh,
          atanh, relu, relu6, elu,   selu, sigmoid, logSigmoid, softplus,   isNaN, isInf, isFinite}) {
        get(op(f));
    }
    for (const Unary op : {neg, abs, sign, round, square, reciprocal, exp, relu, relu6, isNaN}) get(op(i));
    using Binary = Tensor (*)(const Tensor&, const Tensor&);
    for (const Binary op : {add, sub, mul, div, divNoNan, floorDiv, mod, pow, maximum, minimum, squaredDifference, atan2, prelu,
                            equal, notEqual, greater, greaterEqual, less, lessEqual}) {
        get(op(f, g));
        get(op(i, j));
        get(op(f, row));
    }
    get(addN({f, g, f}));
    for (const Binary op : {logicalAnd, logicalOr, logicalXor}) get(op(b, c));
    get(logicalNot(b));
    get(bitwiseAnd(i, j));
    get(clipByValue(f, 1, 2));
    get(clipByValue(i, 1, 2));
    get(step(f, 0.5F));
    get(step(i, 2));
    get(leakyRelu(f));
    get(where(b, f, g));
    get(where(b, i, j));
    for (const Tensor& x : {f, i, b}) {
        for (const DType dtype : {DType::float32, DType::int32, DType::boolean}) get(cast(x, dtype) == cast(x, dtype));
    }
    get(softmax(row));
    get(logSoftmax(row));
}

void reductions(const Get& get) {
    // Short, and long enough for several passes.
    for (const std::int64_t n : {5, 5000}) {
        for (const DType dtype : {DType::float32, DType::int32}) {
            const Tensor x = counting({2, n}, dtype);
            get(sum(x));
            get(mean(x, 1));
            get(prod(x, 0));
            get(max(x));
            get(min(x));
            get(argMax(x, 1));
            get(argMin(x, 1));
        }
        const Tensor b = counting({n}, DType::boolean);
        get(all(b));
        get(any(b));
        get(sum(square(counting({n})) + 1.0F));
    }
}

void products(const Get& get) {
    for (const std::int64_t k : {4, 5}) {
        for (const std::int64_t n : {4, 6}) {
            for (const DType dtype : {DType::float32, DType::int32}) {
                for (const std::int64_t m : {1, 8}) get(matMul(counting({m, k}, dtype), counting({k, n}, dtype)));
                get(matMul(counting({2, 3, k}, dtype), counting({k, n}, dtype)));
                get(matMul(counting({k, 3}, dtype), counting({n, k}, dtype), true, true));
                get(matMul(ones({1, 40000 + k}, dtype), ones({40000 + k, n}, dtype)));
            }
        }
    }
}

void composed(const Get& get) {
    const Tensor m = counting({3, 3}) + eye(3), v = counting({3}), p = sigmoid(counting({2, 3}));
    get(dot(m, v));
    get(outerProduct(v, v));
    for (const NormOrder order : {NormOrder(1), NormOrder(3), NormOrder(NormOrder::euclidean)}) get(norm(m, order));
    get(euclideanNorm(m));
    get(norm(m, 1, {0, 1}));
    get(logSumExp(m, 1));
    get(einsum("ij,jk,k->i", {m, m, v}));
    get(linalg::bandPart(m, 1, 0));
    get(linalg::gramSchmidt(m));
    const auto [q, r] = linalg::qr(m);
    get(q);
    get(r);
    using Loss = Tensor (*)(const Tensor&, const Tensor&, const losses::LossOptions&);
    for (const Loss loss : {losses::absoluteDifference, losses::meanSquaredError, losses::hingeLoss})
        get(loss(p, p * 2.0F, {}));
    get(losses::cosineDistance(p, p, 1));
    get(losses::huberLoss(p, p * 3.0F));
    get(losses::logLoss(p, p));
    get(losses::sigmoidCrossEntropy(p, p));
    get(losses::softmaxCrossEntropy(p, p, {.weights = tensor({1, 2})}));
    get(losses::computeWeightedLoss(p, {.weights = v, .reduction = Reduction::mean}));
    get(math::confusionMatrix(v, v, 3));
    const Tensor one = ones({1, 1});
    get(basicLSTMCell(1.0F, ones({2, 4}), zeros({4}), one, one, one).h);
    get(dropout(p, 0.5, 1));
    get(movingAverage(p, p * 2.0F, 0.9F, Tensor(1)));
    get(cosineWindow(5, 0.5, 0.5) + signal::hannWindow(5) + signal::hammingWindow(5));
    get(signal::frame(v, 2, 1, {.padEnd = true}));
    get(real(signal::stft(v, 2, 1)));
}

void windows(const Get& get) {
    for (const std::int64_t in : {3, 4}) {
        for (const std::int64_t out : {3, 4}) get(conv2d(counting({1, 5, 5, in}), counting({3, 3, in, out})));
        get(conv2d(counting({1, 200, 200, in}), ones({200, 200, in, 1})));
        get(depthwiseConv2d(counting({1, 5, 5, in}), counting({3, 3, in, 2})));
    }
    get(depthwiseConv2d(ones({1, 200, 200, 1}), ones({200, 200, 1, 1})));
    get(conv2d(counting({1, 3, 5, 5}), counting({3, 3, 3, 4}), {.format = DataFormat::nchw}));
    get(conv1d(counting({1, 5, 3}), counting({2, 3, 2})));
    get(separableConv2d(counting({1, 5, 5, 3}), counting({3, 3, 3, 2}), counting({1, 1, 6, 2})));
    get(conv3d(counting({1, 3, 5, 5, 3}), counting({2, 3, 3, 3, 2})));
    get(conv3dTranspose(counting({1, 2, 3, 3, 2}), counting({2, 3, 3, 3, 2}), {1, 3, 5, 5, 3}));
    for (const std::int64_t in : {3, 4}) {
        for (const std::int64_t out : {3, 4}) {
            get(conv2dTranspose(counting({1, 3, 3, in}), counting({3, 3, out, in}), {1, 5, 5, out}));
        }
        get(conv2dTranspose(ones({1, 1, 1, in}), ones({200, 200, 1, in}), {1, 1, 1, 1}, {.padding = Padding::same()}));
    }
    for (const DType dtype : {DType::float32, DType::int32}) {
        get(dilation2d(counting({1, 5, 5, 3}, dtype), counting({2, 2, 3}, dtype)));
        get(dilation2d(counting({1, 200, 200, 1}, dtype), counting({200, 200, 1}, dtype)));
        for (const bool batch : {false, true}) {
            get(maxPoolWithArgmax(counting({1, 5, 5, 3}, dtype), 2, {}, batch).indexes);
            get(maxPoolWithArgmax(counting({1, 200, 200, 1}, dtype), 200, {}, batch).indexes);
        }
    }
    get(pool(counting({1, 5, 5, 3}), 2, Pooling::max, {.dilations = 2}));
    get(maxPool3d(counting({1, 3, 5, 5, 3}), 2));
    get(avgPool3d(counting({1, 3, 5, 5, 3}), 2));
    for (const std::int64_t size : {2, 200}) {
        const Tensor x = counting({1, size, size, 1});
        get(maxPool(x, size));
        get(avgPool(x, size));
        get(maxPool(cast(x, DType::int32), size));
    }
}

void others(const Get& get) {
    const Tensor x = counting({2, 3, 4}), i = counting({2, 3, 4}, DType::int32);
    get(transpose(x));
    get(slice(x, {1, 1, 1}));
    get(reverse(x));
    get(tile(x, {2, 1, 3}));
    get(broadcastTo(x, {5, 2, 3, 4}));
    get(pad(x, {{1, 1}, {0, 1}, {2, 0}}, 7));
    get(concat({x, cast(i, DType::float32)}, 1));
    get(gather(x, counting({2}, DType::int32), 1));
    get(gather(x, counting({2, 2}, DType::int32), 2, 1));
    get(gatherND(x, counting({2, 2}, DType::int32) * 1));
    get(stridedSlice(x, {1, 2}, {2, 0}, {1, -1}));
    for (const image::ResizeOptions options :
         {image::ResizeOptions{}, image::ResizeOptions{.alignCorners = true}, image::ResizeOptions{.halfPixelCenters = true}}) {
        get(image::resizeBilinear(x, 5, options));
        get(image::resizeBilinear(i, 5, options));
        get(image::resizeNearestNeighbor(x, 5, options));
    }
    get(stack({x, x + 1.0F}, 1));
    const Tensor pictures = counting({2, 3, 4, 1}), colours = counting({4, 5, 3});
    for (const auto method : {image::Interpolation::nearest, image::Interpolation::bilinear}) {
        get(image::cropAndResize(pictures, ones({3, 4}), zeros({3}, DType::int32), 4, {.method = method}));
        for (const auto mode :
             {image::FillMode::constant, image::FillMode::reflect, image::FillMode::wrap, image::FillMode::nearest}) {
            get(image::transform(pictures, ones({1, 8}), {.interpolation = method, .fillMode = mode}));
        }
    }
    get(image::rotateWithOffset(pictures, 1));
    get(image::flipLeftRight(pictures));
    get(image::grayscaleToRGB(pictures));
    get(image::rgbToGrayscale(colours));
    get(image::threshold(colours, {.method = image::ThresholdMethod::otsu}));
    get(batchNorm(x, ones({4}), ones({4}), {.offset = ones({4}), .scale = ones({4})}));
    get(batchNorm2d(counting({3, 4}), ones({4}), ones({4})));
    get(batchNorm3d(x, ones({4}), ones({4})));
    get(batchNorm4d(pictures, ones({1}), ones({1})));
    get(localResponseNormalization(x));
    get(moments(x).variance);
    const fused::Epilogue epilogue{.bias = ones({4}), .activation = fused::Activation::relu};
    get(fused::matMul(counting({2, 3}), counting({3, 4}), epilogue));
    get(fused::conv2d(x, counting({1, 1, 4, 4}), {}, epilogue));
    get(fused::depthwiseConv2d(x, counting({1, 1, 4, 1}), {}, epilogue));
    get(expandDims(x + 1.0F, 1));
    get(squeeze(expandDims(x + 1.0F, 1)));
    get(reshape(x + 1.0F, {4, 6}));
    for (const Tensor& same : {clone(x), ensureShape(x, {2, 3, -1})}) get(same);
    get(diag(counting({4})));
    get(oneHot(counting({4}, DType::int32), 3));
    get(broadcastArgs(counting({2}, DType::int32), counting({2}, DType::int32)));
    get(mirrorPad(x, {{1, 1}, {0, 2}, {0, 0}}, MirrorMode::reflect));
    for (const Tensor& part : meshgrid({counting({2}), counting({3})})) get(part);
    get(spaceToBatchND(x, {1, 2}, {{0, 0}, {0, 0}}));
    get(batchToSpaceND(x, {2}, {{0, 1}}));
    get(depthToSpace(counting({1, 2, 2, 8}), 2));
    get(slice3d(reverse3d(concat3d({x, x})), {1, 1, 1}));
    get(pad3d(x, {{1, 1}, {1, 1}, {1, 1}}));
    for (const Tensor& made : {eye(3), linspace(0, 1, 5), range(0, 5), ones({4}), zeros({4}), fill({4}, 2), onesLike(x),
                               zerosLike(x), scalar(2.0F), tensor(std::vector<float>{1, 2})}) {
        get(made);
    }
    const Tensor words = tensor({"a b", "c"});
    get(string::stringToHashBucketFast(words, 9));
    get(string::staticRegexReplace(words, "b", "c"));
    get(randomUniform({9}, 0, 1, 1));
    get(randomUniformInt({9}, 0, 9, 1));
    get(randomNormal({9}, 0, 1, 1));
    get(truncatedNormal({9}, 0, 1, 1));
    get(randomStandardNormal({9}, 1));
    get(randomGamma({9}, 0.5F, 2, 1));
    get(multinomial(counting({2, 3}), 4, 1));
    get(rand({2}, [] { return 0.5; }));
}

/// Short, and long enough for several passes.
void orders(const Get& get) {
    for (const std::int64_t n : {5, 500}) {
        for (const DType dtype : {DType::float32, DType::int32}) {
            const Tensor x = counting({2, n}, dtype), at = counting({n}, DType::int32) * 1;
            get(cumsum(x, 1));
            get(cumprod(x, 1));
            get(topk(x, 3).indices);
            get(topk(x, 3, false).values);
            get(searchSorted(x, x));
            get(lowerBound(x, x));
            get(upperBound(x, x));
            get(scatterND(at, counting({n}, dtype), {n}));
            get(tensorScatterUpdate(counting({n}, dtype), at, counting({n}, dtype)));
            get(sparseToDense(at, counting({n}, dtype), {n}));
            get(unsortedSegmentSum(counting({n, 2}, dtype), at, 3));
            get(bincount(at, counting({n}, dtype), n));
            get(denseBincount(at, counting({n}, dtype), n));
        }
        get(scatterND(counting({n}, DType::int32) * 1, counting({n}, DType::boolean), {n}));
    }
}

/// Every radix, and a prime length.
void transforms(const Get& get) {
    for (const std::int64_t n : {840, 11}) {
        const Tensor x = counting({2, n}), spectrum = complex(x, x);
        for (const Tensor& made : {fft(spectrum), ifft(spectrum), rfft(x)}) {
            get(real(made));
            get(imag(made));
        }
        get(irfft(spectrum));
    }
}

}  // namespace

void test::everyLargeProduct(const Get& get) {
    for (const DType dtype : {DType::float32, DType::int32}) {
        get(matMul(ones({160, 160}, dtype), ones({160, 170}, dtype)));
        get(matMul(ones({8, 40000}, dtype), ones({40000, 16}, dtype)));
    }
    get(relu(matMul(ones({160, 160}), ones({160, 172})) + ones({172})));
    get(conv2d(ones({1, 30, 30, 24}), ones({3, 3, 24, 24})));
    get(relu(conv2d(ones({1, 30, 30, 24}), ones({3, 3, 24, 24})) + ones({24})));
    get(conv2d(ones({1, 200, 200, 4}), ones({196, 200, 4, 8})));
    get(conv2dTranspose(ones({1, 30, 30, 24}), ones({3, 3, 24, 24}), {1, 32, 32, 24}));
}

void test::everyOperation(const Get& get) {
    elementwise(get);
    reductions(get);
    products(get);
    everyLargeProduct(get);
    composed(get);
    windows(get);
    others(get);
    transforms(get);
    orders(get);
}
