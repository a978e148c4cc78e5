#pragma once

#include <complex>
#include <cstdint>
#include <initializer_list>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <stile/export.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

/// Numbers or strings in nested braces, as in `tensor({{1, 2}, {3, 4}})`. Only an argument type: nothing needs to name it.
class Nested {
  public:
    /// A number.
    template <Number Scalar>
    Nested(Scalar value) : value_(static_cast<double>(value)), boolean_(std::is_same_v<Scalar, bool>) {}
    /// A string.
    Nested(std::string text) : text_(std::move(text)), string_(true) {}
    /// A string.
    Nested(const char* text) : Nested(std::string(text)) {}
    /// A list of numbers, strings or lists.
    Nested(std::initializer_list<Nested> items) : items_(items), list_(true) {}
    /// The same of items that are known only when the program runs.
    explicit Nested(std::vector<Nested> items) : items_(std::move(items)), list_(true) {}

    /// Whether it is a list.
    [[nodiscard]] bool isList() const noexcept { return list_; }
    /// Whether it is a number that was given as a bool.
    [[nodiscard]] bool isBool() const noexcept { return boolean_; }
    /// Whether it is a string.
    [[nodiscard]] bool isString() const noexcept { return string_; }
    /// The string.
    [[nodiscard]] const std::string& text() const noexcept { return text_; }
    /// The number.
    [[nodiscard]] double number() const noexcept { return value_; }
    /// The items of a list.
    [[nodiscard]] const std::vector<Nested>& items() const noexcept { return items_; }

  private:
    std::vector<Nested> items_;
    std::string text_;
    double value_ = 0;
    bool list_ = false;
    bool boolean_ = false;
    bool string_ = false;
};

/// A tensor of nested numbers: float32, or bool if every number is a bool, or string if every item is a string.
/// \throws Error `invalid_argument` if rows differ in length, the nesting is deeper than 8, or strings and numbers are mixed.
[[nodiscard]] Tensor tensor(const Nested& values);
/// The same as `dtype`; numbers convert as `cast` does.
[[nodiscard]] Tensor tensor(const Nested& values, DType dtype);
/// The same numbers, in row-major order, with this shape: a flat list, or lists that are nested as the leading axes are.
/// \throws Error `invalid_argument` for another number of numbers, or lists of other lengths than the axes.
[[nodiscard]] Tensor tensor(const Nested& values, const Shape& shape);
/// The same numbers with this shape, as `dtype`.
[[nodiscard]] Tensor tensor(const Nested& values, const Shape& shape, DType dtype);

/// Takes the vector (moved, not copied, but for bool); shape [n]. The device makes its one copy when it first needs the values.
template <Element T>
[[nodiscard]] Tensor tensor(std::vector<T> values);
/// Takes the vector. \throws Error `invalid_argument` if the shape's size is not the vector's.
template <Element T>
[[nodiscard]] Tensor tensor(std::vector<T> values, const Shape& shape);
/// Takes the array.
template <Element T>
[[nodiscard]] Tensor tensor(NdArray<T> values);

/// \cond
extern template Tensor tensor(std::vector<float>);
extern template Tensor tensor(std::vector<std::int32_t>);
extern template Tensor tensor(std::vector<bool>);
extern template Tensor tensor(std::vector<std::complex<float>>);
extern template Tensor tensor(std::vector<std::string>);
extern template Tensor tensor(std::vector<float>, const Shape&);
extern template Tensor tensor(std::vector<std::int32_t>, const Shape&);
extern template Tensor tensor(std::vector<bool>, const Shape&);
extern template Tensor tensor(std::vector<std::complex<float>>, const Shape&);
extern template Tensor tensor(std::vector<std::string>, const Shape&);
extern template Tensor tensor(NdArray<float>);
extern template Tensor tensor(NdArray<std::int32_t>);
extern template Tensor tensor(NdArray<bool>);
extern template Tensor tensor(NdArray<std::complex<float>>);
extern template Tensor tensor(NdArray<std::string>);
/// \endcond

namespace detail {

/// The element type that numbers of type T become.
template <class T>
using ElementFor = std::conditional_t<Element<T>, T, std::conditional_t<std::is_floating_point_v<T>, float, std::int32_t>>;

/// \throws Error `invalid_argument` that names the number.
[[noreturn]] void doesNotFitInt32(const std::string& number);

template <std::ranges::input_range Range>
[[nodiscard]] auto toElements(Range&& values) {
    using T = ElementFor<std::ranges::range_value_t<Range>>;
    if constexpr (std::ranges::contiguous_range<Range> && std::ranges::sized_range<Range> &&
                  std::is_same_v<T, std::ranges::range_value_t<Range>>) {
        return std::vector<T>(std::ranges::data(values), std::ranges::data(values) + std::ranges::size(values));
    }
    std::vector<T> out;
    if constexpr (std::ranges::sized_range<Range>) out.reserve(std::ranges::size(values));
    for (auto&& value : values) {
        if constexpr (std::is_same_v<T, std::int32_t>) {
            if (!std::in_range<std::int32_t>(value)) doesNotFitInt32(std::to_string(value));
        }
        out.push_back(static_cast<T>(value));
    }
    return out;
}

}  // namespace detail

/// Copies a range of numbers (a span, a view, a list), so that the caller's memory is free at once; shape [n], or the one given.
/// Floating-point numbers become float32, integers of any width (bytes of an image, too) int32, bools bool.
/// \throws Error `invalid_argument` for an integer outside int32, or a shape of another size.
template <std::ranges::input_range Range>
    requires Number<std::ranges::range_value_t<Range>>
[[nodiscard]] Tensor tensor(Range&& values) {
    return tensor(detail::toElements(std::forward<Range>(values)));
}
/// \copydoc tensor(Range&&)
template <std::ranges::input_range Range>
    requires Number<std::ranges::range_value_t<Range>>
[[nodiscard]] Tensor tensor(Range&& values, const Shape& shape) {
    return tensor(detail::toElements(std::forward<Range>(values)), shape);
}
/// Numbers in row-major order, which convert as `cast` does. \throws Error `invalid_argument` if the shape's size is not theirs.
[[nodiscard]] Tensor tensor(const std::vector<double>& values, const Shape& shape, DType dtype);
/// \copydoc tensor(const std::vector<double>&, const Shape&, DType)
template <std::ranges::input_range Range>
    requires Number<std::ranges::range_value_t<Range>>
[[nodiscard]] Tensor tensor(Range&& values, const Shape& shape, DType dtype) {
    std::vector<double> numbers;
    for (auto&& value : values) numbers.push_back(static_cast<double>(value));
    return tensor(std::as_const(numbers), shape, dtype);
}

/// A scalar of the dtype. The value converts as `cast` does.
[[nodiscard]] Tensor scalar(double value, DType dtype = DType::float32);
/// A string.
[[nodiscard]] Tensor scalar(const std::string& value);
/// Strings that are all `value`.
[[nodiscard]] Tensor fill(const Shape& shape, const std::string& value);
/// A tensor whose elements are all `value`; takes no memory until a download or a kernel needs it.
[[nodiscard]] Tensor fill(const Shape& shape, double value, DType dtype = DType::float32);
/// A tensor of zeros; see `fill`.
[[nodiscard]] Tensor zeros(const Shape& shape, DType dtype = DType::float32);
/// A tensor of ones; see `fill`.
[[nodiscard]] Tensor ones(const Shape& shape, DType dtype = DType::float32);
/// Zeros of the shape and dtype of x.
[[nodiscard]] Tensor zerosLike(const Tensor& x);
/// Ones of the shape and dtype of x.
[[nodiscard]] Tensor onesLike(const Tensor& x);
/// x itself: a tensor never changes, so that nothing needs to be copied.
[[nodiscard]] Tensor clone(const Tensor& x);

/// The numbers start, start + step, … before stop; empty if the step leads away from it. A step of 1, the default, counts down
/// where stop is below start. Shape [n].
/// \throws Error `invalid_argument` for a step of 0, or a bool dtype.
[[nodiscard]] Tensor range(double start, double stop, double step = 1, DType dtype = DType::float32);
/// `count` evenly spaced float32 numbers from start to stop, both included. \throws Error `invalid_argument` if count < 1.
[[nodiscard]] Tensor linspace(double start, double stop, std::int64_t count);
/// The identity matrix of shape [rows, columns]; square if no columns are given.
[[nodiscard]] Tensor eye(std::int64_t rows, std::int64_t columns = -1, DType dtype = DType::float32);
/// Identity matrices: the shape is batchShape, then rows and columns.
[[nodiscard]] Tensor eye(std::int64_t rows, std::int64_t columns, const Shape& batchShape, DType dtype = DType::float32);
/// The elements of x on the diagonal of zeros: shape [...x.shape, ...x.shape], dtype of x.
/// \throws Error `invalid_argument` for a rank above 4.
[[nodiscard]] Tensor diag(const Tensor& x);

/// What `oneHot` writes.
struct OneHotOptions {
    double onValue = 1;          ///< at the position that an index names
    double offValue = 0;         ///< elsewhere
    DType dtype = DType::int32;  ///< of the result; the values convert as `cast` does
};
/// A new last axis of `depth` positions, on at the index and off elsewhere; all off for an index outside 0 … depth - 1.
/// \throws Error `wrong_dtype` unless the indices are int32, `invalid_argument` for a depth below 2.
[[nodiscard]] Tensor oneHot(const Tensor& indices, std::int64_t depth, const OneHotOptions& options = {});

}  // namespace stile
