#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace stile::host {

/// An element as its bits.
using Word = std::uint32_t;

/// Element i of a tensor, read as a four-byte type.
template <class T>
[[nodiscard]] T get(const std::byte* data, std::int64_t i) noexcept {
    static_assert(sizeof(T) == 4);
    T value;
    std::memcpy(&value, data + i * 4, 4);
    return value;
}

template <class T>
void put(std::byte* data, std::int64_t i, T value) noexcept {
    static_assert(sizeof(T) == 4);
    std::memcpy(data + i * 4, &value, 4);
}

}  // namespace stile::host
