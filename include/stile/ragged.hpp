#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <stile/detail/computed.hpp>
#include <stile/export.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

// A ragged tensor is the rows of all its innermost lists, one after the other, and for each ragged axis its splits: int32 [rows + 1],
// row i is what stands from splits[i] to splits[i + 1] on the next axis.

/// A ragged tensor.
struct RaggedGathered {
    std::vector<Tensor> outputNestedSplits;  ///< int32, outermost first
    Tensor outputDenseValues;
};

/// A ragged tensor of ranges.
struct RaggedRanges {
    Tensor rtNestedSplits;  ///< int32 [rows + 1]
    Tensor rtDenseValues;
};

/// How a partition says which values are in which row.
enum class RowPartitionType : std::uint8_t {
    firstDimSize,  ///< a scalar: how many rows there are; only as the first, in front of valueRowIds
    valueRowIds,   ///< [values]: the row of each value, sorted; not as the first
    rowSplits,     ///< [rows + 1]: see above
};

/// The rows of one axis.
struct RowPartition {
    RowPartitionType type;
    Tensor tensor;  ///< int32
};

namespace detail {
[[nodiscard]] Computation<RaggedGathered> raggedGatherOf(const std::vector<Tensor>& paramsNestedSplits,
                                                         const Tensor& paramsDenseValues, const Tensor& indices);
[[nodiscard]] Computation<RaggedRanges> raggedRangeOf(const Tensor& starts, const Tensor& limits, const Tensor& deltas);
[[nodiscard]] Computation<Tensor> raggedTensorToTensorOf(const Tensor& shape, const Tensor& values, const Tensor& defaultValue,
                                                         const std::vector<RowPartition>& rowPartitions);
}  // namespace detail

/// Rows of a ragged tensor: indices of any rank pick along its first axis, and their axes take its place, the first rank − 1 of
/// them as splits, too; a scalar leaves out one ragged axis. The values are any dtype and are not downloaded. TensorFlow's RaggedGather.
///
/// **Completion signature.** `void(std::exception_ptr, RaggedGathered)`. **GL.** As Tensor::data, of splits and indices.
/// **Per-operation cancellation.** Terminal, partial, total: `operation_aborted`. **Threads.** Callable from
/// any; the handler runs on its associated executor. **Lifetime.** The tensors may be dropped, the device closed. See \ref finding.
/// \throws Error `wrong_dtype` unless splits and indices are int32, `invalid_argument` for no splits, splits that are no lists or
/// empty, and scalar values. It completes with `invalid_argument` for splits that fall or lead out of what they split, and
/// indices outside the rows.
template <class... Arguments>
auto raggedGatherAsync(const std::vector<Tensor>& paramsNestedSplits, const Tensor& paramsDenseValues, const Tensor& indices,
                       Arguments&&... rest) {
    return detail::start(detail::raggedGatherOf(paramsNestedSplits, paramsDenseValues, indices),
                         std::forward<Arguments>(rest)...);
}

/// In row i the numbers starts[i], starts[i] + deltas[i], … before limits[i]; none if the delta leads away. Each argument is a list of
/// one length, or a scalar for all rows; float32 or int32. TensorFlow's RaggedRange.
///
/// **Completion signature.** `void(std::exception_ptr, RaggedRanges)`. **GL.** As Tensor::data, of all three. **Per-operation
/// cancellation.** Terminal, partial, total: `operation_aborted`. **Threads.** Callable from any; the
/// handler runs on its associated executor. **Lifetime.** The tensors may be dropped, the device closed. See \ref finding.
/// \throws Error `wrong_dtype` unless all are float32 or all int32, `invalid_argument` for shapes that do not fit. It completes with
/// `invalid_argument` for a delta of 0, NaN, and 2^31 numbers or more.
template <class... Arguments>
auto raggedRangeAsync(const Tensor& starts, const Tensor& limits, const Tensor& deltas, Arguments&&... rest) {
    return detail::start(detail::raggedRangeOf(starts, limits, deltas), std::forward<Arguments>(rest)...);
}

/// A ragged tensor as a dense one: rows that are too short are filled with the default value, what is too much is cut. An extent
/// of the shape (int32 [rank]) may be -1: that of the ragged tensor, its longest row; a scalar -1 stands for a shape of these. The default
/// broadcasts to an element of the values, values.shape[1:]. Both are any dtype and are not downloaded. TensorFlow's
/// RaggedTensorToTensor.
///
/// **Completion signature.** `void(std::exception_ptr, Tensor)`. **GL.** As Tensor::data, of shape and partitions. **Per-operation
/// cancellation.** Terminal, partial, total: `operation_aborted`. **Threads.** Callable from any; the
/// handler runs on its associated executor. **Lifetime.** The tensors may be dropped, the device closed. See \ref finding.
/// \throws Error `wrong_dtype` unless shape and partitions are int32 and the default has the dtype of the values,
/// `invalid_argument` for shapes and kinds of partitions that do not fit. It completes with `invalid_argument` for a shape that does not
/// fit, and for partitions that fall or describe another number of values.
template <class... Arguments>
auto raggedTensorToTensorAsync(const Tensor& shape, const Tensor& values, const Tensor& defaultValue,
                               const std::vector<RowPartition>& rowPartitions, Arguments&&... rest) {
    return detail::start(detail::raggedTensorToTensorOf(shape, values, defaultValue, rowPartitions),
                         std::forward<Arguments>(rest)...);
}

}  // namespace stile
