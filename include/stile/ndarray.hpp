#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <ostream>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <stile/dtype.hpp>
#include <stile/error.hpp>
#include <stile/export.hpp>
#include <stile/shape.hpp>

namespace stile STILE_EXPORT {

/// How an element is kept in host memory: itself, but a byte for a bool (so that it can be pointed at).
template <Element T>
using Stored = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;

/// A part of an NdArray that shares its memory: what `array[i]` gives. Reads as an element when its rank is 0.
template <Element T>
class NdView {
  public:
    /// A view of values with these extents, whose number is theirs.
    NdView(std::span<const std::int64_t> extents, std::span<const Stored<T>> values) noexcept
        : extents_(extents), values_(values) {}

    /// The number of axes.
    [[nodiscard]] int rank() const noexcept { return static_cast<int>(extents_.size()); }
    /// The number of elements in row-major order.
    [[nodiscard]] std::int64_t size() const noexcept { return static_cast<std::int64_t>(values_.size()); }
    /// The extents.
    [[nodiscard]] Shape shape() const { return Shape(extents_); }
    /// All elements in row-major order.
    [[nodiscard]] std::span<const Stored<T>> flat() const noexcept { return values_; }
    /// Iteration over the elements in row-major order.
    [[nodiscard]] auto begin() const noexcept { return values_.begin(); }
    /// Behind the last element.
    [[nodiscard]] auto end() const noexcept { return values_.end(); }

    /// The `i`-th part along the first axis. \throws Error `invalid_argument` out of range, or at rank 0.
    [[nodiscard]] NdView operator[](std::int64_t i) const {
        if (extents_.empty()) throw Error(errc::invalid_argument, "NdArray: a scalar cannot be indexed");
        if (i < 0 || i >= extents_.front()) {
            throw Error(errc::invalid_argument,
                        "NdArray: index " + std::to_string(i) + " is outside shape " + toString(Shape(extents_)));
        }
        const std::size_t step = values_.size() / static_cast<std::size_t>(extents_.front());
        return NdView(extents_.subspan(1), values_.subspan(static_cast<std::size_t>(i) * step, step));
    }

    /// The element itself. \throws Error `invalid_argument` unless the rank is 0.
    operator T() const {
        if (!extents_.empty()) {
            throw Error(errc::invalid_argument, "NdArray: shape " + toString(Shape(extents_)) + " read as one element");
        }
        return static_cast<T>(values_.front());
    }

    /// Nested vectors as deep as the rank: `to<std::vector<std::vector<float>>>()` for rank 2, `to<float>()` for rank 0.
    /// \throws Error `invalid_argument` if the depth is not the rank.
    template <class Nested>
    [[nodiscard]] Nested to() const {
        if constexpr (std::is_same_v<Nested, T>) {
            return *this;
        } else {
            if (extents_.empty()) throw Error(errc::invalid_argument, "NdArray: nested vectors deeper than the rank");
            Nested out;
            out.reserve(static_cast<std::size_t>(extents_.front()));
            for (std::int64_t i = 0; i < extents_.front(); ++i) {
                out.push_back((*this)[i].template to<typename Nested::value_type>());
            }
            return out;
        }
    }

  private:
    std::span<const std::int64_t> extents_;
    std::span<const Stored<T>> values_;
};

/// Values on the host with a shape, row-major: what `co_await t.array()` gives. Owns its memory.
template <Element T>
class NdArray {
  public:
    /// The empty array of shape [0].
    NdArray() : shape_{0} {}
    NdArray(const NdArray&) = default;
    NdArray& operator=(const NdArray&) = default;
    /// Leaves the empty array behind.
    NdArray(NdArray&& other) noexcept
        : shape_(std::exchange(other.shape_, empty())), values_(std::exchange(other.values_, {})) {}
    /// \copydoc NdArray(NdArray&&)
    NdArray& operator=(NdArray&& other) noexcept {
        shape_ = std::exchange(other.shape_, empty());
        values_ = std::exchange(other.values_, {});
        return *this;
    }
    ~NdArray() = default;
    /// Takes the values. \throws Error `invalid_argument` if their number is not the shape's size.
    NdArray(Shape shape, std::vector<Stored<T>> values) : shape_(shape), values_(std::move(values)) {
        if (static_cast<std::int64_t>(values_.size()) != shape_.size()) {
            throw Error(errc::invalid_argument,
                        "NdArray: " + std::to_string(values_.size()) + " values for shape " + toString(shape_));
        }
    }
    /// From vectors nested as deep as the rank. \throws Error `invalid_argument` if rows differ in length.
    template <class Inner>
    explicit NdArray(const std::vector<Inner>& nested) {
        std::vector<std::int64_t> extents;
        measure(nested, extents);
        shape_ = Shape(extents);
        values_.reserve(static_cast<std::size_t>(shape_.size()));
        append(nested, 0);
    }

    /// The extents.
    [[nodiscard]] const Shape& shape() const noexcept { return shape_; }
    /// The number of axes.
    [[nodiscard]] int rank() const noexcept { return shape_.rank(); }
    /// The number of elements.
    [[nodiscard]] std::int64_t size() const noexcept { return static_cast<std::int64_t>(values_.size()); }
    /// The dtype that goes with T.
    [[nodiscard]] static constexpr DType dtype() noexcept { return dtypeOf<T>; }

    /// All elements in row-major order.
    [[nodiscard]] std::span<const Stored<T>> flat() const noexcept { return values_; }
    /// The elements, to be written.
    [[nodiscard]] std::span<Stored<T>> flat() noexcept { return values_; }
    /// Iteration over the elements in row-major order.
    [[nodiscard]] auto begin() const noexcept { return values_.begin(); }
    /// Behind the last element.
    [[nodiscard]] auto end() const noexcept { return values_.end(); }

    /// All of it, as a part.
    [[nodiscard]] NdView<T> view() const noexcept { return NdView<T>({shape_.begin(), shape_.end()}, values_); }
    /// The `i`-th part along the first axis; see NdView.
    [[nodiscard]] NdView<T> operator[](std::int64_t i) const& { return view()[i]; }
    /// The part with memory of its own, where a view would outlive the array.
    [[nodiscard]] NdArray operator[](std::int64_t i) && {
        const NdView<T> part = view()[i];
        return NdArray(part.shape(), {part.begin(), part.end()});
    }
    /// The element itself. \throws Error `invalid_argument` unless the rank is 0.
    operator T() const { return view(); }
    /// One element: `a.at(1, 0)`. \throws Error `invalid_argument` out of range or with another count than the rank.
    template <class... Index>
    [[nodiscard]] T at(Index... index) const {
        NdView<T> part = view();
        ((part = part[static_cast<std::int64_t>(index)]), ...);
        return part;
    }

    /// Nested vectors as deep as the rank; see NdView::to.
    template <class Nested>
    [[nodiscard]] Nested to() const {
        return view().template to<Nested>();
    }

    /// Equal in shape and in every element (so an array with a NaN equals none).
    friend bool operator==(const NdArray& a, const NdArray& b) { return a.shape_ == b.shape_ && a.values_ == b.values_; }

  private:
    template <class Inner>
    static void measure(const std::vector<Inner>& nested, std::vector<std::int64_t>& extents) {
        extents.push_back(static_cast<std::int64_t>(nested.size()));
        if constexpr (!std::is_convertible_v<Inner, T>) {
            if (!nested.empty()) measure(nested.front(), extents);
        }
    }
    template <class Inner>
    void append(const std::vector<Inner>& nested, int axis) {
        if (axis >= shape_.rank() || static_cast<std::int64_t>(nested.size()) != shape_[axis]) {
            throw Error(errc::invalid_argument,
                        "NdArray: nested vectors of different lengths along axis " + std::to_string(axis));
        }
        for (const auto& inner : nested) {
            if constexpr (std::is_convertible_v<Inner, T>) {
                values_.push_back(static_cast<Stored<T>>(static_cast<T>(inner)));
            } else {
                append(inner, axis + 1);
            }
        }
    }

    static Shape empty() { return Shape{0}; }

    Shape shape_;
    std::vector<Stored<T>> values_;
};

namespace detail {
/// Writes values as nested brackets; more than a thousand are shortened to three at each end of an axis.
void print(std::ostream& out, std::span<const std::int64_t> extents, std::span<const float> values);
void print(std::ostream& out, std::span<const std::int64_t> extents, std::span<const std::int32_t> values);
void print(std::ostream& out, std::span<const std::int64_t> extents, std::span<const std::uint8_t> values);
void print(std::ostream& out, std::span<const std::int64_t> extents, std::span<const std::complex<float>> values);
void print(std::ostream& out, std::span<const std::int64_t> extents, std::span<const std::string> values);
}  // namespace detail

/// Nested brackets: "[[1, 2], [3, 4]]". More than a thousand elements are shortened with "...".
template <Element T>
std::ostream& operator<<(std::ostream& out, const NdArray<T>& array) {
    detail::print(out, {array.shape().begin(), array.shape().end()}, array.flat());
    return out;
}

/// \copydoc operator<<(std::ostream&, const NdArray<T>&)
template <Element T>
std::ostream& operator<<(std::ostream& out, const NdView<T>& view) {
    const Shape shape = view.shape();
    detail::print(out, {shape.begin(), shape.end()}, view.flat());
    return out;
}

}  // namespace stile
