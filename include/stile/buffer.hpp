#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <stile/create.hpp>
#include <stile/error.hpp>
#include <stile/export.hpp>
#include <stile/ndarray.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

/// Host memory with a shape that is written element by element and then made a tensor.
template <Element T>
class TensorBuffer {
  public:
    /// Zeros.
    explicit TensorBuffer(const Shape& shape)
        : TensorBuffer(shape, std::vector<Stored<T>>(static_cast<std::size_t>(shape.size()))) {}
    /// Takes the values in row-major order. \throws Error `invalid_argument` if their number is not the shape's size.
    TensorBuffer(const Shape& shape, std::vector<Stored<T>> values) : values_(shape, std::move(values)) {}

    /// The extents.
    [[nodiscard]] const Shape& shape() const noexcept { return values_.shape(); }
    /// The number of axes.
    [[nodiscard]] int rank() const noexcept { return values_.rank(); }
    /// The number of elements.
    [[nodiscard]] std::int64_t size() const noexcept { return values_.size(); }
    /// The dtype that goes with T.
    [[nodiscard]] static constexpr DType dtype() noexcept { return dtypeOf<T>; }
    /// The elements in row-major order.
    [[nodiscard]] std::span<const Stored<T>> values() const noexcept { return values_.flat(); }
    /// The elements, to be written.
    [[nodiscard]] std::span<Stored<T>> values() noexcept { return values_.flat(); }

    /// One element: `b.get(1, 0)`. \throws Error `invalid_argument` out of range or with another count than the rank.
    template <std::integral... Index>
    [[nodiscard]] T get(Index... index) const {
        return static_cast<T>(values()[static_cast<std::size_t>(locToIndex({static_cast<std::int64_t>(index)...}))]);
    }
    /// Writes one element: `b.set(2.5F, 1, 0)`. \throws Error as `get`.
    template <std::integral... Index>
    void set(T value, Index... index) {
        values()[static_cast<std::size_t>(locToIndex({static_cast<std::int64_t>(index)...}))] = static_cast<Stored<T>>(value);
    }

    /// Where the element with these coordinates lies. \throws Error `invalid_argument` out of range or with another count.
    [[nodiscard]] std::int64_t locToIndex(const std::vector<std::int64_t>& loc) const {
        if (std::cmp_not_equal(loc.size(), rank())) {
            throw Error(errc::invalid_argument,
                        "buffer: " + std::to_string(loc.size()) + " coordinates for shape " + toString(shape()));
        }
        std::int64_t index = 0;
        for (int axis = 0; axis < rank(); ++axis) {
            const std::int64_t at = loc[static_cast<std::size_t>(axis)];
            if (at < 0 || at >= shape()[axis]) {
                throw Error(errc::invalid_argument, "buffer: coordinate " + std::to_string(at) + " along axis " +
                                                        std::to_string(axis) + " is outside shape " + toString(shape()));
            }
            index = index * shape()[axis] + at;
        }
        return index;
    }
    /// The coordinates of the element that lies there. \throws Error `invalid_argument` out of range.
    [[nodiscard]] std::vector<std::int64_t> indexToLoc(std::int64_t index) const {
        if (index < 0 || index >= size()) {
            throw Error(errc::invalid_argument,
                        "buffer: index " + std::to_string(index) + " is outside shape " + toString(shape()));
        }
        std::vector<std::int64_t> loc(static_cast<std::size_t>(rank()));
        for (int axis = rank() - 1; axis >= 0; --axis) {
            loc[static_cast<std::size_t>(axis)] = index % shape()[axis];
            index /= shape()[axis];
        }
        return loc;
    }

    /// The values as they are now; the buffer can be written on.
    [[nodiscard]] Tensor toTensor() const { return tensor(values_); }

  private:
    NdArray<T> values_;
};

/// Zeros to be written; see TensorBuffer.
template <Element T = float>
[[nodiscard]] TensorBuffer<T> buffer(const Shape& shape) {
    return TensorBuffer<T>(shape);
}
/// The values to be written; see TensorBuffer.
template <Element T = float>
[[nodiscard]] TensorBuffer<T> buffer(const Shape& shape, std::vector<Stored<T>> values) {
    return TensorBuffer<T>(shape, std::move(values));
}

}  // namespace stile
