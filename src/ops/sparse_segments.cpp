#include "stile/sparse.hpp"

#include <algorithm>
#include <vector>

#include "ops/check.hpp"
#include "ops/on_host.hpp"
#include "stile/ops/elementwise.hpp"
#include "stile/ops/index.hpp"
#include "stile/ops/scatter.hpp"

namespace stile::detail {
namespace {

/// Sums or means of rows that are picked by indices. The sum is recorded when indices and ids are known to be right.
Computation<Tensor> sparseSegment(const char* op, const Tensor& data, const Tensor& indices, const Tensor& segmentIds,
                                  bool isMean) {
    ops::expect(op, "indices", indices, DType::int32);
    ops::expect(op, "segmentIds", segmentIds, DType::int32);
    if (data.dtype() != DType::int32 && data.dtype() != DType::boolean) ops::expect(op, "data", data, DType::float32);
    if (data.rank() < 1 || indices.rank() != 1 || segmentIds.shape() != indices.shape()) {
        ops::fail(op, "data {}, indices {}, segmentIds {}", toString(data.shape()), toString(indices.shape()),
                  toString(segmentIds.shape()));
    }
    return {op, {indices, segmentIds}, [=](std::span<const RawValues> raw) {
                const std::int64_t rows = data.shape()[0];
                for (std::size_t i = 0; const std::int32_t row : elementsOf<std::int32_t>(raw[0])) {
                    if (row < 0 || row >= rows) ops::fail(op, "indices[{}] is {}, data {}", i, row, toString(data.shape()));
                    ++i;
                }
                const auto ids = elementsOf<std::int32_t>(raw[1]);
                std::int32_t last = 0;
                for (std::size_t i = 0; i < ids.size(); ++i) {
                    if (ids[i] < last) ops::fail(op, "segmentIds[{}] is {} after {}", i, ids[i], last);
                    last = ids[i];
                }
                const std::int64_t segments = ids.empty() ? 0 : std::int64_t{last} + 1;
                const Tensor picked = gather(isMean ? cast(data, DType::float32) : data, indices);
                const Tensor sums = unsortedSegmentSum(picked, segmentIds, segments);
                if (!isMean) return sums;
                // The ids are sorted: a segment ends where the next begins.
                std::vector<float> counts(static_cast<std::size_t>(segments), 1.0F);
                for (auto begin = ids.begin(); begin != ids.end();) {
                    const auto end = std::upper_bound(begin, ids.end(), *begin);
                    counts[static_cast<std::size_t>(*begin)] = static_cast<float>(end - begin);
                    begin = end;
                }
                std::vector<std::int64_t> shape(static_cast<std::size_t>(data.rank()), 1);
                shape[0] = segments;
                return sums / ops::onHost(op, Shape(shape), std::move(counts), DType::float32, indices.node()->home);
            }};
}

}  // namespace

Computation<Tensor> sparseSegmentMeanOf(const Tensor& data, const Tensor& indices, const Tensor& segmentIds) {
    return sparseSegment("sparseSegmentMeanAsync", data, indices, segmentIds, true);
}

Computation<Tensor> sparseSegmentSumOf(const Tensor& data, const Tensor& indices, const Tensor& segmentIds) {
    return sparseSegment("sparseSegmentSumAsync", data, indices, segmentIds, false);
}

}  // namespace stile::detail
