#include <asio/use_awaitable.hpp>

#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <stile/stile.hpp>

#include "async_table.hpp"

namespace replay {
namespace {

using asio::awaitable;
using stile::DType;
using Members = Results::Members;
namespace image = stile::image;
namespace sparse = stile::sparse;

Results toResults(const stile::Tensor& x) { return x; }
Results toResults(const std::vector<std::uint8_t>& x) { return HostValues{"Uint8ClampedArray", stile::tensor(x)}; }
Results toResults(const stile::Unique& x) { return Members{{"values", x.values}, {"indices", x.indices}}; }
Results toResults(const stile::Difference& x) { return std::vector{x.values, x.indices}; }
Results toResults(const image::ScoredSelection& x) {
    return Members{{"selectedIndices", x.selectedIndices}, {"selectedScores", x.selectedScores}};
}
Results toResults(const image::PaddedSelection& x) {
    return Members{{"selectedIndices", x.selectedIndices}, {"validOutputs", x.validOutputs}};
}
Results toResults(const sparse::FilledRows& x) {
    return Members{{"outputIndices", x.outputIndices},
                   {"outputValues", x.outputValues},
                   {"emptyRowIndicator", x.emptyRowIndicator},
                   {"reverseIndexMap", x.reverseIndexMap}};
}
Results toResults(const sparse::Reshaped& x) {
    return Members{{"outputIndices", x.outputIndices}, {"outputShape", x.outputShape}};
}
Results toResults(const stile::RaggedGathered& x) {
    return Members{{"outputNestedSplits", x.outputNestedSplits}, {"outputDenseValues", x.outputDenseValues}};
}
Results toResults(const stile::RaggedRanges& x) {
    return Members{{"rtNestedSplits", x.rtNestedSplits}, {"rtDenseValues", x.rtDenseValues}};
}

/// What is awaited is named first, as are results with braces: g++ 12 destroys such temporaries twice.
template <class T>
awaitable<Results> converted(awaitable<T> operation) {
    const T result = co_await std::move(operation);
    co_return toResults(result);
}

constexpr double unlimited = -std::numeric_limits<double>::infinity();

/// boxes, scores, maxOutputSize, iouThreshold, scoreThreshold.
awaitable<Results> suppression(Arguments a) {
    return converted(
        image::nonMaxSuppressionAsync(a[0].tensor(), a[1].tensor(), a[2].integer(),
                                      {.iouThreshold = a[3].number(0.5), .scoreThreshold = a[4].number(unlimited)}));
}

/// The same and softNmsSigma.
awaitable<Results> softSuppression(Arguments a) {
    return converted(image::nonMaxSuppressionWithScoreAsync(
        a[0].tensor(), a[1].tensor(), a[2].integer(),
        {.iouThreshold = a[3].number(0.5), .scoreThreshold = a[4].number(unlimited), .softNmsSigma = a[5].number(0)}));
}

/// The same as the first and padToMaxOutputSize.
awaitable<Results> paddedSuppression(Arguments a) {
    return converted(image::nonMaxSuppressionPaddedAsync(
        a[0].tensor(), a[1].tensor(), a[2].integer(),
        {.iouThreshold = a[3].number(0.5), .scoreThreshold = a[4].number(unlimited), .padToMaxOutputSize = a[5].flag(false)}));
}

/// x, mask, axis.
awaitable<Results> booleanMask(Arguments a) {
    return converted(stile::booleanMaskAsync(a[0].tensor(), a[1].tensor(DType::boolean), a[2].axis(0)));
}

/// indices, values, denseShape, defaultValue, which takes the dtype of the values.
awaitable<Results> fillEmptyRows(Arguments a) {
    const stile::Tensor values = a[1].tensor();
    return converted(sparse::sparseFillEmptyRowsAsync(a[0].tensor(DType::int32), values, a[2].tensor(DType::int32),
                                                      a[3].tensor(values.dtype())));
}

awaitable<Results> sparseReshape(Arguments a) {
    return converted(
        sparse::sparseReshapeAsync(a[0].tensor(DType::int32), a[1].tensor(DType::int32), a[2].tensor(DType::int32)));
}

awaitable<Results> segmentMean(Arguments a) {
    return converted(sparse::sparseSegmentMeanAsync(a[0].tensor(), a[1].tensor(DType::int32), a[2].tensor(DType::int32)));
}

awaitable<Results> segmentSum(Arguments a) {
    return converted(sparse::sparseSegmentSumAsync(a[0].tensor(), a[1].tensor(DType::int32), a[2].tensor(DType::int32)));
}

/// paramsNestedSplits, paramsDenseValues, indices, and a rank that follows from them.
awaitable<Results> raggedGather(Arguments a) {
    return converted(stile::raggedGatherAsync(a[0].tensors(DType::int32), a[1].tensor(), a[2].tensor(DType::int32)));
}

awaitable<Results> raggedRange(Arguments a) {
    const stile::Tensor starts = a[0].tensor();
    return converted(stile::raggedRangeAsync(starts, a[1].tensor(starts.dtype()), a[2].tensor(starts.dtype())));
}

/// shape, values, defaultValue, rowPartitionTensors, rowPartitionTypes.
awaitable<Results> raggedTensorToTensor(Arguments a) {
    using Type = stile::RowPartitionType;
    const std::vector<stile::Tensor> tensors = a[3].tensors(DType::int32);
    if (a[4].size() != static_cast<int>(tensors.size())) a[4].mismatch("another number of types than of tensors");
    std::vector<stile::RowPartition> partitions;
    for (int i = 0; i < a[4].size(); ++i) {
        const Type type = a[4][i].choice<Type>(
            {{"FIRST_DIM_SIZE", Type::firstDimSize}, {"VALUE_ROWIDS", Type::valueRowIds}, {"ROW_SPLITS", Type::rowSplits}});
        partitions.push_back({type, tensors[static_cast<std::size_t>(i)]});
    }
    const stile::Tensor values = a[1].tensor();
    return converted(
        stile::raggedTensorToTensorAsync(a[0].tensor(DType::int32), values, a[2].tensor(values.dtype()), partitions));
}

template <class T>
awaitable<std::string> text(stile::Tensor x, bool verbose) {
    const stile::NdArray<T> values = co_await x.array<T>();
    co_return stile::toString(values, verbose);
}

awaitable<Results> tensorToString(Arguments a) {
    const stile::Tensor x = a[0].tensor();
    const bool verbose = a[1].flag(false);
    std::string out;
    switch (x.dtype()) {
        case DType::float32: out = co_await text<float>(x, verbose); break;
        case DType::int32: out = co_await text<std::int32_t>(x, verbose); break;
        case DType::boolean: out = co_await text<bool>(x, verbose); break;
        case DType::complex64: out = co_await text<std::complex<float>>(x, verbose); break;
        case DType::string: out = co_await text<std::string>(x, verbose); break;
    }
    co_return out;
}

const std::array rows{
    AsyncRow{"whereAsync", [](Arguments a) { return converted(stile::whereAsync(a[0].tensor(DType::boolean))); }},
    AsyncRow{"booleanMaskAsync", booleanMask},
    AsyncRow{"setdiff1dAsync", [](Arguments a) { return converted(stile::setdiff1dAsync(a[0].tensor(), a[1].tensor())); }},
    AsyncRow{"unique", [](Arguments a) { return converted(stile::uniqueAsync(a[0].tensor(), a[1].axis(0))); }},
    AsyncRow{"inTopKAsync",
             [](Arguments a) { return converted(stile::inTopKAsync(a[0].tensor(), a[1].tensor(), a[2].integer(1))); }},
    AsyncRow{"browser.toPixels", [](Arguments a) { return converted(stile::browser::toPixels(a[0].tensor())); }},
    AsyncRow{"Tensor.toString", tensorToString},
    AsyncRow{"image.nonMaxSuppression", suppression},
    AsyncRow{"image.nonMaxSuppressionAsync", suppression},
    AsyncRow{"image.nonMaxSuppressionWithScore", softSuppression},
    AsyncRow{"image.nonMaxSuppressionWithScoreAsync", softSuppression},
    AsyncRow{"image.nonMaxSuppressionPadded", paddedSuppression},
    AsyncRow{"image.nonMaxSuppressionPaddedAsync", paddedSuppression},
    AsyncRow{"sparse.sparseFillEmptyRows", fillEmptyRows},
    AsyncRow{"sparse.sparseReshape", sparseReshape},
    AsyncRow{"sparse.sparseSegmentMean", segmentMean},
    AsyncRow{"sparse.sparseSegmentSum", segmentSum},
    AsyncRow{"raggedGather", raggedGather},
    AsyncRow{"raggedRange", raggedRange},
    AsyncRow{"raggedTensorToTensor", raggedTensorToTensor},
};

}  // namespace

const AsyncRow* findAsyncRow(std::string_view op) {
    const auto found = std::ranges::find(rows, op, &AsyncRow::op);
    return found == rows.end() ? nullptr : &*found;
}

}  // namespace replay
