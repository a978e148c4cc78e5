#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

#include <stile/export.hpp>

namespace stile STILE_EXPORT {

/// The element type of a tensor. The numbers are stable: files may store them. complex64 (3) and string (4) are reserved.
///
/// On a device every element takes four bytes: `boolean` is an int that is 0 or 1.
enum class DType : std::uint8_t { float32 = 0, int32 = 1, boolean = 2 };

/// The name in the field's spelling: "float32", "int32", "bool".
[[nodiscard]] std::string_view name(DType dtype) noexcept;

/// The type to which both convert without losing the larger range: bool → int32 → float32.
[[nodiscard]] constexpr DType promote(DType a, DType b) noexcept {
    if (a == DType::float32 || b == DType::float32) return DType::float32;
    if (a == DType::int32 || b == DType::int32) return DType::int32;
    return DType::boolean;
}

/// A C++ number that becomes an element: arithmetic types but characters.
template <class T>
concept Number = std::is_arithmetic_v<T> && !std::is_same_v<T, char> && !std::is_same_v<T, wchar_t> &&
                 !std::is_same_v<T, char8_t> && !std::is_same_v<T, char16_t> && !std::is_same_v<T, char32_t>;

/// A C++ type that elements can be read as and made from: `float`, `std::int32_t`, `bool`.
template <class T>
concept Element = std::is_same_v<T, float> || std::is_same_v<T, std::int32_t> || std::is_same_v<T, bool>;

/// The DType whose elements are read as `T`.
template <Element T>
inline constexpr DType dtypeOf = std::is_same_v<T, float>          ? DType::float32
                                 : std::is_same_v<T, std::int32_t> ? DType::int32
                                                                   : DType::boolean;

}  // namespace stile
