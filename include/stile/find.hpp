#pragma once

#include <cstdint>
#include <utility>

#include <stile/detail/computed.hpp>
#include <stile/export.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

/// \page finding Results whose shape depends on values
///
/// `whereAsync`, `booleanMaskAsync`, `setdiff1dAsync`, `uniqueAsync`, `inTopKAsync`, `image::nonMaxSuppressionAsync` and their like
/// download what they have to look at, compute on the CPU and give a tensor. They are Asio operations with the rules of \ref downloads:
/// DownloadOptions and a completion token may follow their arguments, and they are awaitable by default. Wrong arguments
/// throw at the call; what only the values show to be wrong is what the operation completes with. The CPU's part runs on the GL
/// thread, or, if all inputs have their values on the CPU, in the call itself. The results belong to the device of the inputs.

/// The distinct slices of a tensor along an axis.
struct Unique {
    Tensor values;   ///< in the order in which they are met first
    Tensor indices;  ///< of each slice of the input among the values: int32 [n]
};

/// The difference of two lists.
struct Difference {
    Tensor values;   ///< of x that are not in y, in their order
    Tensor indices;  ///< of them in x: int32
};

namespace detail {
[[nodiscard]] Computation<Tensor> whereOf(const Tensor& condition);
[[nodiscard]] Computation<Tensor> booleanMaskOf(const Tensor& x, const Tensor& mask, int axis);
[[nodiscard]] Computation<Difference> setdiff1dOf(const Tensor& x, const Tensor& y);
[[nodiscard]] Computation<Unique> uniqueOf(const Tensor& x, int axis);
[[nodiscard]] Computation<Tensor> inTopKOf(const Tensor& predictions, const Tensor& targets, std::int64_t k);
}  // namespace detail

/// The coordinates at which a condition holds: int32 [n, rank], in row-major order.
///
/// **Completion signature.** `void(std::exception_ptr, Tensor)`. **GL.** As Tensor::data, of the condition. **Per-operation
/// cancellation.** Terminal, partial, total: `operation_aborted`. **Threads.** Callable from any; the
/// handler runs on its associated executor. **Lifetime.** The tensor may be dropped, the device closed. See \ref finding.
/// \throws Error `wrong_dtype` unless it is bool.
template <class... Arguments>
auto whereAsync(const Tensor& condition, Arguments&&... rest) {
    return detail::start(detail::whereOf(condition), std::forward<Arguments>(rest)...);
}

/// The slices of x at which a mask holds. The mask, of rank 1 or more, covers the axes of x from `axis` on, which become
/// one axis of as many slices as the mask has true elements. Only the mask is downloaded; x is any dtype.
///
/// **Completion signature.** `void(std::exception_ptr, Tensor)`. **GL.** As Tensor::data, of the mask. **Per-operation
/// cancellation.** Terminal, partial, total: `operation_aborted`. **Threads.** Callable from any; the
/// handler runs on its associated executor. **Lifetime.** The tensors may be dropped, the device closed. See \ref finding.
/// \throws Error `wrong_dtype` unless the mask is bool, `invalid_argument` for a mask that is a scalar or does not fit.
template <class... Arguments>
auto booleanMaskAsync(const Tensor& x, const Tensor& mask, int axis = 0, Arguments&&... rest) {
    return detail::start(detail::booleanMaskOf(x, mask, axis), std::forward<Arguments>(rest)...);
}

/// The elements of x, a list, that are not in the list y. Equal NaNs are equal here, and so are 0 and -0.
///
/// **Completion signature.** `void(std::exception_ptr, Difference)`. **GL.** As Tensor::data, of both. **Per-operation
/// cancellation.** Terminal, partial, total: `operation_aborted`. **Threads.** Callable from any; the
/// handler runs on its associated executor. **Lifetime.** The tensors may be dropped, the device closed. See \ref finding.
/// \throws Error `wrong_dtype` if the dtypes differ, `invalid_argument` unless both have rank 1.
template <class... Arguments>
auto setdiff1dAsync(const Tensor& x, const Tensor& y, Arguments&&... rest) {
    return detail::start(detail::setdiff1dOf(x, y), std::forward<Arguments>(rest)...);
}

/// The distinct slices of x along an axis. Equal NaNs are equal here, and so are 0 and -0.
///
/// **Completion signature.** `void(std::exception_ptr, Unique)`. **GL.** As Tensor::data. **Per-operation
/// cancellation.** Terminal, partial, total: `operation_aborted`. **Threads.** Callable from any; the
/// handler runs on its associated executor. **Lifetime.** The tensor may be dropped, the device closed. See \ref finding.
/// \throws Error `invalid_argument` for a scalar or an axis outside the rank.
template <class... Arguments>
auto uniqueAsync(const Tensor& x, int axis = 0, Arguments&&... rest) {
    return detail::start(detail::uniqueOf(x, axis), std::forward<Arguments>(rest)...);
}

/// Whether each target is among the k largest predictions of its row: predictions float32 [..., classes], targets int32 [...] → bool
/// [...]. Of equal predictions the first counts as larger.
///
/// **Completion signature.** `void(std::exception_ptr, Tensor)`. **GL.** As Tensor::data, of both. **Per-operation
/// cancellation.** Terminal, partial, total: `operation_aborted`. **Threads.** Callable from any; the
/// handler runs on its associated executor. **Lifetime.** The tensors may be dropped, the device closed. See \ref finding.
/// \throws Error `invalid_argument` for shapes that do not fit or a k outside 1 … classes, `wrong_dtype`.
template <class... Arguments>
auto inTopKAsync(const Tensor& predictions, const Tensor& targets, std::int64_t k = 1, Arguments&&... rest) {
    return detail::start(detail::inTopKOf(predictions, targets, k), std::forward<Arguments>(rest)...);
}

}  // namespace stile
