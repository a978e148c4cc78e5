#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <stile/export.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

// Operations that rearrange elements and compute nothing; every dtype. All throw Error `invalid_argument`, with the
// operation's name and the shapes, for axes outside the rank and extents that do not fit.

/// The same elements in another shape of the same size (a Shape converts); one extent may be -1 and is worked out. Copies nothing.
[[nodiscard]] Tensor reshape(const Tensor& x, const std::vector<std::int64_t>& extents);
/// Inserts an axis of extent 1 before `axis`; -1 puts it last. Copies nothing.
[[nodiscard]] Tensor expandDims(const Tensor& x, int axis = 0);
/// Drops the axes of extent 1, or just those given. Copies nothing.
[[nodiscard]] Tensor squeeze(const Tensor& x, const Axes& axes = {});
/// Permutes the axes: axis i of the result is axis permutation[i] of x. Reverses them if none is given.
[[nodiscard]] Tensor transpose(const Tensor& x, const std::vector<int>& permutation = {});
/// The block that starts at `begin`; a size of -1, or none given, reaches to the end.
[[nodiscard]] Tensor slice(const Tensor& x, const std::vector<std::int64_t>& begin, const std::vector<std::int64_t>& size = {});
/// Reverses along the axes (all by default).
[[nodiscard]] Tensor reverse(const Tensor& x, const Axes& axes = {});
/// Repeats the whole tensor `repeats[i]` times along axis i.
[[nodiscard]] Tensor tile(const Tensor& x, const std::vector<std::int64_t>& repeats);
/// Stretches axes of extent 1 (and adds leading ones) to the shape.
[[nodiscard]] Tensor broadcastTo(const Tensor& x, const Shape& shape);
/// Surrounds with a constant: (before, after) for each axis. The value converts as `cast` does.
[[nodiscard]] Tensor pad(const Tensor& x, const std::vector<std::pair<std::int64_t, std::int64_t>>& paddings, double value = 0);
/// Joins along an axis; dtypes are promoted.
[[nodiscard]] Tensor concat(const std::vector<Tensor>& tensors, int axis = 0);
/// Joins tensors of one shape along a new axis.
[[nodiscard]] Tensor stack(const std::vector<Tensor>& tensors, int axis = 0);
/// The parts along an axis, which vanishes: the opposite of `stack`.
[[nodiscard]] std::vector<Tensor> unstack(const Tensor& x, int axis = 0);
/// Cuts into `count` equal parts along an axis.
[[nodiscard]] std::vector<Tensor> split(const Tensor& x, int count, int axis = 0);
/// Cuts into parts of the given sizes along an axis; one may be -1 and is worked out.
[[nodiscard]] std::vector<Tensor> split(const Tensor& x, const std::vector<std::int64_t>& sizes, int axis = 0);

/// x itself. \throws Error `invalid_argument` unless its shape is this one; -1 stands for any extent.
[[nodiscard]] Tensor ensureShape(const Tensor& x, const std::vector<std::int64_t>& extents);
/// The shape to which two shapes broadcast, both given as int32 vectors. Where their values are known to the host they are
/// checked at the call; on a device an extent that does not fit gives -1.
/// \throws Error `invalid_argument` unless both are of rank 1, `wrong_dtype` unless int32.
[[nodiscard]] Tensor broadcastArgs(const Tensor& a, const Tensor& b);

/// What a mirror shows: `reflect` leaves the edge itself out, `symmetric` repeats it.
enum class MirrorMode : std::uint8_t { reflect, symmetric };
/// Surrounds with the tensor's own mirror images: (before, after) for each axis, each at most the extent (`symmetric`), or one
/// less (`reflect`). \throws Error `invalid_argument` for larger or negative ones, or rank 0.
[[nodiscard]] Tensor mirrorPad(const Tensor& x, const std::vector<std::pair<std::int64_t, std::int64_t>>& paddings,
                               MirrorMode mode);

/// Which axis of a grid the first coordinates run along: `xy` (the matrix's columns) or `ij` (its rows).
enum class Indexing : std::uint8_t { xy, ij };
/// The grid of several vectors of coordinates (taken as flat, whatever their rank): a tensor for each, all of one shape, in which
/// it varies along its own axis. \throws Error `invalid_argument` for more than 8.
[[nodiscard]] std::vector<Tensor> meshgrid(const std::vector<Tensor>& coordinates, Indexing indexing = Indexing::xy);

}  // namespace stile
