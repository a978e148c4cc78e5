#pragma once

#include <complex>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <type_traits>

#include <stile/export.hpp>

namespace stile STILE_EXPORT {

/// The element type of a tensor. The numbers are stable: files may store them.
///
/// On a device an element takes four bytes (`boolean` is an int that is 0 or 1), but eight for complex64: the real part, then the
/// imaginary part. Strings stay on the host: operations on them are computed when they are called.
enum class DType : std::uint8_t { float32 = 0, int32 = 1, boolean = 2, complex64 = 3, string = 4 };

/// The name in the field's spelling: "float32", "int32", "bool", "complex64", "string".
[[nodiscard]] std::string_view name(DType dtype) noexcept;

/// Writes the name.
std::ostream& operator<<(std::ostream& out, DType dtype);

namespace detail {
/// \throws Error `wrong_dtype`.
[[noreturn]] void noCommonDType(DType a, DType b);
}  // namespace detail

/// The type to which both convert without losing the larger range: bool → int32 → float32 → complex64. A string goes with
/// strings only. \throws Error `wrong_dtype` for a string and a number.
[[nodiscard]] constexpr DType promote(DType a, DType b) {
    if (a == b) return a;
    if (a == DType::string || b == DType::string) detail::noCommonDType(a, b);
    for (const DType wide : {DType::complex64, DType::float32}) {
        if (a == wide || b == wide) return wide;
    }
    return DType::int32;
}

/// A C++ number that becomes an element: arithmetic types but characters.
template <class T>
concept Number = std::is_arithmetic_v<T> && !std::is_same_v<T, char> && !std::is_same_v<T, wchar_t> &&
                 !std::is_same_v<T, char8_t> && !std::is_same_v<T, char16_t> && !std::is_same_v<T, char32_t>;

/// A C++ type that elements can be read as and made from: `float`, `std::int32_t`, `bool`, `std::complex<float>`, `std::string`.
template <class T>
concept Element = std::is_same_v<T, float> || std::is_same_v<T, std::int32_t> || std::is_same_v<T, bool> ||
                  std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::string>;

/// The DType whose elements are read as `T`.
template <Element T>
inline constexpr DType dtypeOf = std::is_same_v<T, float>                 ? DType::float32
                                 : std::is_same_v<T, std::int32_t>        ? DType::int32
                                 : std::is_same_v<T, std::complex<float>> ? DType::complex64
                                 : std::is_same_v<T, std::string>         ? DType::string
                                                                          : DType::boolean;

}  // namespace stile
