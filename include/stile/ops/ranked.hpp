#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <stile/create.hpp>
#include <stile/export.hpp>
#include <stile/ops/shape.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

// Operations that insist on a rank: `tensor2d({{1, 2}, {3, 4}})`, `slice3d(x, begin, size)`. Each is the operation without the
// number, and throws Error `invalid_argument` for any other rank.

namespace detail {

/// The tensor. \throws Error `invalid_argument`, which names the operation, unless its rank is this one.
const Tensor& ofRank(const char* op, int rank, const Tensor& x);
void expectRank(const char* op, int rank, const Shape& shape);

/// `tensor` in its forms.
template <int Rank>
struct TensorOfRank {
    [[nodiscard]] Tensor operator()(const Nested& values) const { return ofRank("tensor", Rank, tensor(values)); }
    [[nodiscard]] Tensor operator()(const Nested& values, DType dtype) const {
        return ofRank("tensor", Rank, tensor(values, dtype));
    }
    [[nodiscard]] Tensor operator()(const Nested& values, const Shape& shape) const {
        expectRank("tensor", Rank, shape);
        return tensor(values, shape);
    }
    [[nodiscard]] Tensor operator()(const Nested& values, const Shape& shape, DType dtype) const {
        expectRank("tensor", Rank, shape);
        return tensor(values, shape, dtype);
    }
    template <std::ranges::input_range Range>
        requires Number<std::ranges::range_value_t<Range>>
    [[nodiscard]] Tensor operator()(Range&& values) const {
        return ofRank("tensor", Rank, tensor(std::forward<Range>(values)));
    }
    template <std::ranges::input_range Range, class... Options>
        requires Number<std::ranges::range_value_t<Range>>
    [[nodiscard]] Tensor operator()(Range&& values, const Shape& shape, Options... dtype) const {
        expectRank("tensor", Rank, shape);
        return tensor(std::forward<Range>(values), shape, dtype...);
    }
};

template <int Rank>
struct ConcatOfRank {
    [[nodiscard]] Tensor operator()(const std::vector<Tensor>& tensors, int axis = 0) const {
        for (const Tensor& x : tensors) expectRank("concat", Rank, x.shape());
        return concat(tensors, axis);
    }
};

template <int Rank>
struct ReverseOfRank {
    [[nodiscard]] Tensor operator()(const Tensor& x, const Axes& axes = {}) const {
        return reverse(ofRank("reverse", Rank, x), axes);
    }
};

template <int Rank>
struct SliceOfRank {
    [[nodiscard]] Tensor operator()(const Tensor& x, const std::vector<std::int64_t>& begin,
                                    const std::vector<std::int64_t>& size = {}) const {
        return slice(ofRank("slice", Rank, x), begin, size);
    }
};

template <int Rank>
struct PadOfRank {
    [[nodiscard]] Tensor operator()(const Tensor& x, const std::vector<std::pair<std::int64_t, std::int64_t>>& paddings,
                                    double value = 0) const {
        return pad(ofRank("pad", Rank, x), paddings, value);
    }
};

}  // namespace detail

/// \name `tensor` of a given rank
/// @{

inline constexpr detail::TensorOfRank<1> tensor1d{};  ///< a vector
inline constexpr detail::TensorOfRank<2> tensor2d{};  ///< a matrix
inline constexpr detail::TensorOfRank<3> tensor3d{};  ///< three axes
inline constexpr detail::TensorOfRank<4> tensor4d{};  ///< four axes
inline constexpr detail::TensorOfRank<5> tensor5d{};  ///< five axes
inline constexpr detail::TensorOfRank<6> tensor6d{};  ///< six axes
/// @}

/// \name `concat` of tensors of a given rank
/// @{

inline constexpr detail::ConcatOfRank<1> concat1d{};  ///< vectors
inline constexpr detail::ConcatOfRank<2> concat2d{};  ///< matrices
inline constexpr detail::ConcatOfRank<3> concat3d{};  ///< three axes
inline constexpr detail::ConcatOfRank<4> concat4d{};  ///< four axes
/// @}

/// \name `reverse` of a tensor of a given rank
/// @{

inline constexpr detail::ReverseOfRank<1> reverse1d{};  ///< a vector
inline constexpr detail::ReverseOfRank<2> reverse2d{};  ///< a matrix
inline constexpr detail::ReverseOfRank<3> reverse3d{};  ///< three axes
inline constexpr detail::ReverseOfRank<4> reverse4d{};  ///< four axes
/// @}

/// \name `slice` of a tensor of a given rank
/// @{

inline constexpr detail::SliceOfRank<1> slice1d{};  ///< a vector
inline constexpr detail::SliceOfRank<2> slice2d{};  ///< a matrix
inline constexpr detail::SliceOfRank<3> slice3d{};  ///< three axes
inline constexpr detail::SliceOfRank<4> slice4d{};  ///< four axes
/// @}

/// \name `pad` of a tensor of a given rank
/// @{

inline constexpr detail::PadOfRank<1> pad1d{};  ///< a vector
inline constexpr detail::PadOfRank<2> pad2d{};  ///< a matrix
inline constexpr detail::PadOfRank<3> pad3d{};  ///< three axes
inline constexpr detail::PadOfRank<4> pad4d{};  ///< four axes
/// @}

}  // namespace stile
