#pragma once

#include <array>
#include <cstdint>

namespace test {

/// Philox4x32-10 written down again from the paper (Salmon, Moraes, Dror, Shaw, SC 2011), as the measure of the shader's.
inline std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> c, std::array<std::uint32_t, 2> k) {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t a = std::uint64_t{0xD2511F53} * c[0], b = std::uint64_t{0xCD9E8D57} * c[2];
        c = {static_cast<std::uint32_t>(b >> 32U) ^ c[1] ^ k[0], static_cast<std::uint32_t>(b),
             static_cast<std::uint32_t>(a >> 32U) ^ c[3] ^ k[1], static_cast<std::uint32_t>(a)};
        k = {k[0] + 0x9E3779B9U, k[1] + 0xBB67AE85U};
    }
    return c;
}

/// The word that element i of a random tensor is made from.
inline std::uint32_t randomWord(std::uint64_t seed, std::uint32_t i) {
    const auto words = philox({i / 4, 0, 0, 0}, {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U)});
    return words[i % 4];
}

}  // namespace test
