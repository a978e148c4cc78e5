#pragma once

#include <utility>

#include <stile/detail/computed.hpp>
#include <stile/export.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

namespace sparse {

// A sparse tensor is the coordinates of its elements, int32 [n, rank], their values [n], and its shape, int32 [rank].

/// A sparse tensor whose every row has an element.
struct FilledRows {
    Tensor outputIndices;      ///< int32 [m, rank], ordered by row
    Tensor outputValues;       ///< [m]
    Tensor emptyRowIndicator;  ///< bool [rows]: which rows had no element
    Tensor reverseIndexMap;    ///< int32 [n]: where each element of the input has gone
};

/// Coordinates for another shape.
struct Reshaped {
    Tensor outputIndices;  ///< int32 [n, new rank]
    Tensor outputShape;    ///< int32 [new rank]
};

}  // namespace sparse

namespace detail {
[[nodiscard]] Computation<sparse::FilledRows> sparseFillEmptyRowsOf(const Tensor& indices, const Tensor& values,
                                                                    const Tensor& denseShape, const Tensor& defaultValue);
[[nodiscard]] Computation<sparse::Reshaped> sparseReshapeOf(const Tensor& inputIndices, const Tensor& inputShape,
                                                            const Tensor& newShape);
[[nodiscard]] Computation<Tensor> sparseSegmentMeanOf(const Tensor& data, const Tensor& indices, const Tensor& segmentIds);
[[nodiscard]] Computation<Tensor> sparseSegmentSumOf(const Tensor& data, const Tensor& indices, const Tensor& segmentIds);
}  // namespace detail

namespace sparse {

/// Gives each row without an element one with the default value, in column 0; a row is what has the same first coordinate. Elements are
/// ordered by row, and stay in their order within one. The values are any dtype and are not downloaded. TensorFlow's
/// SparseFillEmptyRows.
///
/// **Completion signature.** `void(std::exception_ptr, sparse::FilledRows)`. **GL.** As Tensor::data, of indices and shape.
/// **Per-operation cancellation.** Terminal, partial, total: `operation_aborted`. **Threads.** Callable from
/// any; the handler runs on its associated executor. **Lifetime.** The tensors may be dropped, the device closed. See \ref finding.
/// \throws Error `wrong_dtype` unless indices and shape are int32 and the default has the dtype of the values, `invalid_argument` for
/// shapes that do not fit. It completes with `invalid_argument` for a row that the shape does not have.
template <class... Arguments>
auto sparseFillEmptyRowsAsync(const Tensor& indices, const Tensor& values, const Tensor& denseShape, const Tensor& defaultValue,
                              Arguments&&... rest) {
    return detail::start(detail::sparseFillEmptyRowsOf(indices, values, denseShape, defaultValue),
                         std::forward<Arguments>(rest)...);
}

/// The coordinates of the same elements if the dense tensor was reshaped. One extent of the new shape may be -1: what is left. Shapes may
/// have any number of elements below 2^63. TensorFlow's SparseReshape.
///
/// **Completion signature.** `void(std::exception_ptr, sparse::Reshaped)`. **GL.** As Tensor::data, of all three. **Per-operation
/// cancellation.** Terminal, partial, total: `operation_aborted`. **Threads.** Callable from any; the
/// handler runs on its associated executor. **Lifetime.** The tensors may be dropped, the device closed. See \ref finding.
/// \throws Error `wrong_dtype` unless all are int32, `invalid_argument` for shapes that do not fit. It completes with
/// `invalid_argument` for a new shape of another size, and for coordinates outside the shape.
template <class... Arguments>
auto sparseReshapeAsync(const Tensor& inputIndices, const Tensor& inputShape, const Tensor& newShape, Arguments&&... rest) {
    return detail::start(detail::sparseReshapeOf(inputIndices, inputShape, newShape), std::forward<Arguments>(rest)...);
}

/// Means of rows of data: y[s] is the mean of data[indices[i]] over all i with segmentIds[i] = s, 0 where there are none. Indices and ids
/// are int32 [n], the ids sorted; y has as many rows as the last id and 1. float32. Only indices and ids are downloaded; rows are added
/// up by the device.
///
/// **Completion signature.** `void(std::exception_ptr, Tensor)`. **GL.** As Tensor::data, of indices and ids. **Per-operation
/// cancellation.** Terminal, partial, total: `operation_aborted`. **Threads.** Callable from any; the
/// handler runs on its associated executor. **Lifetime.** The tensors may be dropped, the device closed. See \ref finding.
/// \throws Error `wrong_dtype` unless indices and ids are int32 and data numbers that are not complex, `invalid_argument` for shapes
/// that do not fit. It completes with `invalid_argument` for ids that fall or are negative, and indices outside the rows.
template <class... Arguments>
auto sparseSegmentMeanAsync(const Tensor& data, const Tensor& indices, const Tensor& segmentIds, Arguments&&... rest) {
    return detail::start(detail::sparseSegmentMeanOf(data, indices, segmentIds), std::forward<Arguments>(rest)...);
}

/// Sums of rows of data, as `sparseSegmentMeanAsync` has their means: float32, or int32 for int32 and bool.
///
/// **Completion signature.** `void(std::exception_ptr, Tensor)`. **GL.** As Tensor::data, of indices and ids. **Per-operation
/// cancellation.** Terminal, partial, total: `operation_aborted`. **Threads.** Callable from any; the
/// handler runs on its associated executor. **Lifetime.** The tensors may be dropped, the device closed. See \ref finding.
/// \throws Error as `sparseSegmentMeanAsync`.
template <class... Arguments>
auto sparseSegmentSumAsync(const Tensor& data, const Tensor& indices, const Tensor& segmentIds, Arguments&&... rest) {
    return detail::start(detail::sparseSegmentSumOf(data, indices, segmentIds), std::forward<Arguments>(rest)...);
}

}  // namespace sparse
}  // namespace stile
