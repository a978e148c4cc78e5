#include "kernels.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <string>
#include <string_view>

namespace replay {
namespace {

/// A kernel and its operation. The names of inputs and attributes make the operation's arguments, in order; `*` is the list
/// of all inputs, `...` the inputs as arguments of their own, and braces put what they hold in one object.
struct Kernel {
    std::string_view name;
    std::string_view op;
    std::string_view arguments = "x";
};

constexpr std::array kernels{
    Kernel{"Abs", "abs"},
    Kernel{"Acos", "acos"},
    Kernel{"Acosh", "acosh"},
    Kernel{"Add", "add", "a b"},
    Kernel{"AddN", "addN", "*"},
    Kernel{"All", "all", "x axis keepDims"},
    Kernel{"Any", "any", "x axis keepDims"},
    Kernel{"ArgMax", "argMax", "x axis"},
    Kernel{"ArgMin", "argMin", "x axis"},
    Kernel{"Asin", "asin"},
    Kernel{"Asinh", "asinh"},
    Kernel{"Atan", "atan"},
    Kernel{"Atan2", "atan2", "a b"},
    Kernel{"Atanh", "atanh"},
    Kernel{"AvgPool", "avgPool", "x filterSize strides pad dimRoundingMode"},
    Kernel{"AvgPool3D", "avgPool3d", "x filterSize strides pad dimRoundingMode dataFormat"},
    Kernel{"BatchMatMul", "matMul", "a b transposeA transposeB"},
    Kernel{"BatchToSpaceND", "batchToSpaceND", "x blockShape crops"},
    Kernel{"Bincount", "bincount", "x weights size"},
    Kernel{"BitwiseAnd", "bitwiseAnd", "a b"},
    Kernel{"BroadcastArgs", "broadcastArgs", "s0 s1"},
    Kernel{"BroadcastTo", "broadcastTo", "x shape"},
    Kernel{"Cast", "cast", "x dtype"},
    Kernel{"Ceil", "ceil"},
    Kernel{"ClipByValue", "clipByValue", "x clipValueMin clipValueMax"},
    Kernel{"Complex", "complex", "real imag"},
    Kernel{"ComplexAbs", "abs"},
    Kernel{"Concat", "concat", "* axis"},
    Kernel{"Conv2D", "conv2d", "x filter strides pad dataFormat dilations dimRoundingMode"},
    Kernel{"Conv3D", "conv3d", "x filter strides pad dataFormat dilations"},
    Kernel{"Cos", "cos"},
    Kernel{"Cosh", "cosh"},
    Kernel{"CropAndResize", "image.cropAndResize", "image boxes boxInd cropSize method extrapolationValue"},
    Kernel{"Cumprod", "cumprod", "x axis exclusive reverse"},
    Kernel{"Cumsum", "cumsum", "x axis exclusive reverse"},
    Kernel{"DenseBincount", "denseBincount", "x weights size binaryOutput"},
    Kernel{"DepthToSpace", "depthToSpace", "x blockSize dataFormat"},
    Kernel{"DepthwiseConv2dNative", "depthwiseConv2d", "x filter strides pad dataFormat dilations dimRoundingMode"},
    Kernel{"Diag", "diag"},
    Kernel{"Dilation2D", "dilation2d", "x filter strides pad dilations"},
    Kernel{"Einsum", "einsum", "equation ..."},
    Kernel{"Elu", "elu"},
    Kernel{"Equal", "equal", "a b"},
    Kernel{"Erf", "erf"},
    Kernel{"Exp", "exp"},
    Kernel{"ExpandDims", "expandDims", "input dim"},
    Kernel{"Expm1", "expm1"},
    Kernel{"FFT", "fft", "input"},
    Kernel{"Fill", "fill", "shape value dtype"},
    Kernel{"FlipLeftRight", "image.flipLeftRight", "image"},
    Kernel{"Floor", "floor"},
    Kernel{"FloorDiv", "floorDiv", "a b"},
    Kernel{"FusedBatchNorm", "batchNorm", "x mean variance offset scale varianceEpsilon"},
    Kernel{"FusedConv2D", "fused.conv2d",
           "{x filter strides pad dataFormat dilations dimRoundingMode bias activation preluActivationWeights leakyreluAlpha}"},
    Kernel{"FusedDepthwiseConv2D", "fused.depthwiseConv2d",
           "{x filter strides pad dataFormat dilations dimRoundingMode bias activation preluActivationWeights leakyreluAlpha}"},
    Kernel{"GatherNd", "gatherND", "params indices"},
    Kernel{"GatherV2", "gather", "x indices axis batchDims"},
    Kernel{"Greater", "greater", "a b"},
    Kernel{"GreaterEqual", "greaterEqual", "a b"},
    Kernel{"IFFT", "ifft", "input"},
    Kernel{"Identity", "clone"},
    Kernel{"Imag", "imag", "input"},
    Kernel{"IsFinite", "isFinite"},
    Kernel{"IsInf", "isInf"},
    Kernel{"IsNan", "isNaN"},
    Kernel{"LRN", "localResponseNormalization", "x depthRadius bias alpha beta"},
    Kernel{"LeakyRelu", "leakyRelu", "x alpha"},
    Kernel{"Less", "less", "a b"},
    Kernel{"LessEqual", "lessEqual", "a b"},
    Kernel{"LinSpace", "linspace", "start stop num"},
    Kernel{"Log", "log"},
    Kernel{"Log1p", "log1p"},
    Kernel{"LogSoftmax", "logSoftmax", "logits axis"},
    Kernel{"LogicalAnd", "logicalAnd", "a b"},
    Kernel{"LogicalNot", "logicalNot"},
    Kernel{"LogicalOr", "logicalOr", "a b"},
    Kernel{"LogicalXor", "logicalXor", "a b"},
    Kernel{"LowerBound", "lowerBound", "sortedSequence values"},
    Kernel{"Max", "max", "x reductionIndices keepDims"},
    Kernel{"MaxPool", "maxPool", "x filterSize strides pad dimRoundingMode"},
    Kernel{"MaxPool3D", "maxPool3d", "x filterSize strides pad dimRoundingMode dataFormat"},
    Kernel{"MaxPoolWithArgmax", "maxPoolWithArgmax", "x filterSize strides pad includeBatchInIndex"},
    Kernel{"Maximum", "maximum", "a b"},
    Kernel{"Mean", "mean", "x axis keepDims"},
    Kernel{"Min", "min", "x axis keepDims"},
    Kernel{"Minimum", "minimum", "a b"},
    Kernel{"MirrorPad", "mirrorPad", "x paddings mode"},
    Kernel{"Mod", "mod", "a b"},
    Kernel{"Multinomial", "multinomial", "logits numSamples seed normalized"},
    Kernel{"Multiply", "mul", "a b"},
    Kernel{"Neg", "neg"},
    Kernel{"NonMaxSuppressionV3", "image.nonMaxSuppression", "boxes scores maxOutputSize iouThreshold scoreThreshold"},
    Kernel{"NonMaxSuppressionV4", "image.nonMaxSuppressionPadded",
           "boxes scores maxOutputSize iouThreshold scoreThreshold padToMaxOutputSize"},
    Kernel{"NonMaxSuppressionV5", "image.nonMaxSuppressionWithScore",
           "boxes scores maxOutputSize iouThreshold scoreThreshold softNmsSigma"},
    Kernel{"NotEqual", "notEqual", "a b"},
    Kernel{"OneHot", "oneHot", "indices depth onValue offValue dtype"},
    Kernel{"OnesLike", "onesLike"},
    Kernel{"Pack", "stack", "* axis"},
    Kernel{"PadV2", "pad", "x paddings constantValue"},
    Kernel{"Pow", "pow", "a b"},
    Kernel{"Prelu", "prelu", "x alpha"},
    Kernel{"Prod", "prod", "x axis keepDims"},
    Kernel{"RaggedGather", "raggedGather", "paramsNestedSplits paramsDenseValues indices outputRaggedRank"},
    Kernel{"RaggedRange", "raggedRange", "starts limits deltas"},
    Kernel{"RaggedTensorToTensor", "raggedTensorToTensor", "shape values defaultValue rowPartitionTensors rowPartitionTypes"},
    Kernel{"Range", "range", "start stop step dtype"},
    Kernel{"Real", "real", "input"},
    Kernel{"RealDiv", "div", "a b"},
    Kernel{"Reciprocal", "reciprocal"},
    Kernel{"Relu", "relu"},
    Kernel{"Relu6", "relu6"},
    Kernel{"Reshape", "reshape", "x shape"},
    Kernel{"ResizeBilinear", "image.resizeBilinear", "images size alignCorners halfPixelCenters"},
    Kernel{"ResizeNearestNeighbor", "image.resizeNearestNeighbor", "images size alignCorners halfPixelCenters"},
    Kernel{"Reverse", "reverse", "x dims"},
    Kernel{"RotateWithOffset", "image.rotateWithOffset", "image radians fillValue center"},
    Kernel{"Round", "round"},
    Kernel{"Rsqrt", "rsqrt"},
    Kernel{"ScatterNd", "scatterND", "indices updates shape"},
    Kernel{"SearchSorted", "searchSorted", "sortedSequence values side"},
    Kernel{"Select", "where", "condition t e"},
    Kernel{"Selu", "selu"},
    Kernel{"Sigmoid", "sigmoid"},
    Kernel{"Sign", "sign"},
    Kernel{"Sin", "sin"},
    Kernel{"Sinh", "sinh"},
    Kernel{"Slice", "slice", "x begin size"},
    Kernel{"Softmax", "softmax", "logits dim"},
    Kernel{"Softplus", "softplus"},
    Kernel{"SpaceToBatchND", "spaceToBatchND", "x blockShape paddings"},
    Kernel{"SparseFillEmptyRows", "sparse.sparseFillEmptyRows", "indices values denseShape defaultValue"},
    Kernel{"SparseReshape", "sparse.sparseReshape", "inputIndices inputShape newShape"},
    Kernel{"SparseSegmentMean", "sparse.sparseSegmentMean", "data indices segmentIds"},
    Kernel{"SparseSegmentSum", "sparse.sparseSegmentSum", "data indices segmentIds"},
    Kernel{"SparseToDense", "sparseToDense", "sparseIndices sparseValues outputShape defaultValue"},
    Kernel{"SplitV", "split", "x numOrSizeSplits axis"},
    Kernel{"Sqrt", "sqrt"},
    Kernel{"Square", "square"},
    Kernel{"SquaredDifference", "squaredDifference", "a b"},
    Kernel{"StaticRegexReplace", "string.staticRegexReplace", "x pattern rewrite replaceGlobal"},
    Kernel{"Step", "step", "x alpha"},
    Kernel{"StridedSlice", "stridedSlice", "x begin end strides beginMask endMask ellipsisMask newAxisMask shrinkAxisMask"},
    Kernel{"StringNGrams", "string.stringNGrams",
           "data dataSplits separator nGramWidths leftPad rightPad padWidth preserveShortSequences"},
    Kernel{"StringSplit", "string.stringSplit", "input delimiter skipEmpty"},
    Kernel{"StringToHashBucketFast", "string.stringToHashBucketFast", "input numBuckets"},
    Kernel{"Sub", "sub", "a b"},
    Kernel{"Sum", "sum", "x axis keepDims"},
    Kernel{"Tan", "tan"},
    Kernel{"Tanh", "tanh"},
    Kernel{"TensorScatterUpdate", "tensorScatterUpdate", "tensor indices updates"},
    Kernel{"Tile", "tile", "x reps"},
    Kernel{"TopK", "topk", "x k sorted"},
    Kernel{"Transform", "image.transform", "image transforms interpolation fillMode fillValue outputShape"},
    Kernel{"Transpose", "transpose", "x perm"},
    Kernel{"Unique", "unique", "x axis"},
    Kernel{"Unpack", "unstack", "value axis"},
    Kernel{"UnsortedSegmentSum", "unsortedSegmentSum", "x segmentIds numSegments"},
    Kernel{"UpperBound", "upperBound", "sortedSequence values"},
    Kernel{"ZerosLike", "zerosLike"},
    Kernel{"_FusedMatMul", "fused.matMul", "{a b transposeA transposeB bias activation preluActivationWeights leakyreluAlpha}"},
};

using nlohmann::json;

/// What the kernel got under a name: an input, an attribute, or nothing.
json named(const json& record, const std::string& name) {
    for (const char* place : {"inputs", "attrs"}) {
        const auto found = record.find(place);
        if (found != record.end() && found->is_object() && found->contains(name)) return (*found)[name];
    }
    // Kernels round down by themselves where their operations insist on being told how.
    const json& attributes = record["attrs"];
    if (name == "dimRoundingMode" && attributes.contains("pad") && !attributes["pad"].is_string()) return "floor";
    return {{"undefined", true}};
}

json argumentsOf(const Kernel& kernel, const json& record) {
    std::string words(kernel.arguments);
    const bool object = words.starts_with('{');
    if (object) words = words.substr(1, words.size() - 2);
    json list = json::array();
    json members = json::object();
    std::istringstream in(words);
    for (std::string word; in >> word;) {
        if (object) {
            members[word] = named(record, word);
        } else if (word == "*") {
            list.push_back(record["inputs"]);
        } else if (word == "...") {
            for (const json& input : record["inputs"]) list.push_back(input);
        } else {
            list.push_back(named(record, word));
        }
    }
    if (object) list.push_back(std::move(members));
    return list;
}

}  // namespace

std::optional<Case> asOperation(const Case& kernel) {
    const auto* found = std::ranges::find(kernels, kernel.op, &Kernel::name);
    if (found == kernels.end()) return {};
    Case out = kernel;
    out.kind = CaseKind::operation;
    out.op = found->op;
    out.record["args"] = argumentsOf(*found, kernel.record);
    if (kernel.record.contains("outputs")) out.record["result"] = kernel.record["outputs"];
    return out;
}

}  // namespace replay
