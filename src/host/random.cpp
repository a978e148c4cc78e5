#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "host/elements.hpp"
#include "host/host.hpp"

namespace stile::host {
namespace {

using prim::Distribution;

/// Philox4x32-10: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
std::array<Word, 4> philox(std::array<Word, 4> counter, std::array<Word, 2> key) {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0], b = std::uint64_t{0xCD9E8D57} * counter[2];
        counter = {static_cast<Word>(b >> 32U) ^ counter[1] ^ key[0], static_cast<Word>(b),
                   static_cast<Word>(a >> 32U) ^ counter[3] ^ key[1], static_cast<Word>(a)};
        key = {key[0] + 0x9E3779B9U, key[1] + 0xBB67AE85U};
    }
    return counter;
}

/// As in shaders/random.comp: Giles, "Approximating the erfinv function", GPU Computing Gems 2 (2011), single precision.
float inverseErf(float x) {
    float w = -std::log((1 - x) * (1 + x));
    const auto polynomial = [&w](const std::array<float, 9>& from) {
        float p = 0;
        for (const float coefficient : from) p = coefficient + w * p;
        return p;
    };
    if (w < 5) {
        w -= 2.5F;
        return x * polynomial({2.81022636e-8F, 3.43273939e-7F, -3.5233877e-6F, -4.39150654e-6F, 0.000218580870F,
                               -0.00125372503F, -0.00417768164F, 0.246640727F, 1.50140941F});
    }
    w = std::sqrt(w) - 3;
    return x * polynomial({-0.000200214257F, 0.000100950558F, 0.00134934322F, -0.00367342844F, 0.00573950773F, -0.0076224613F,
                           0.00943887047F, 1.00167406F, 2.83297682F});
}

/// In (-1, 1).
float centred(Word word) { return (static_cast<float>(word >> 9U) + 0.5F) * 0x1p-22F - 1; }

/// As in shaders/random.comp: Marsaglia, Tsang, "A simple method for generating gamma variables", ACM TOMS 26 (2000).
float gammaOf(const prim::Random& what, Word element, std::array<Word, 2> key) {
    const auto shape = std::bit_cast<float>(what.first);
    const float d = (shape < 1 ? shape + 1 : shape) - 1.0F / 3, c = 1 / std::sqrt(9 * d);
    float cube = 1;
    Word last = 0;
    for (Word attempt = 0; attempt < 64; ++attempt) {
        const std::array<Word, 4> words = philox({element, attempt, 0, 0}, key);
        const float x = 1.4142135623730951F * inverseErf(centred(words[0])), u = (centred(words[1]) + 1) * 0.5F;
        last = words[2];
        const float v = 1 + c * x;
        cube = v * v * v;
        if (v > 0 && std::log(u) < 0.5F * x * x + d * (1 - cube + std::log(cube))) break;
        cube = 1;
    }
    const float boost = shape < 1 ? std::exp(std::log((centred(last) + 1) * 0.5F) / shape) : 1;
    return d * cube * boost * std::bit_cast<float>(what.second);
}

Word integerOf(const prim::Random& what, Word word) {
    const std::uint64_t count = what.second - what.first;
    return what.first + static_cast<Word>(word * count >> 32U);
}

float numberOf(const prim::Random& what, Word word) {
    const auto first = std::bit_cast<float>(what.first), second = std::bit_cast<float>(what.second);
    if (what.kind == Distribution::uniform) {
        const float value = first + static_cast<float>(word >> 8U) * 0x1p-24F * (second - first);
        return value < second || first == second ? value : first;
    }
    const bool truncated = what.kind == Distribution::truncatedNormal;
    // Truncated to erf(sqrt(2)): two deviations.
    float normal = 1.4142135623730951F * inverseErf(truncated ? 0.95449973610364F * centred(word) : centred(word));
    if (truncated) normal = std::clamp(normal, -2.0F, 2.0F);
    return first + normal * second;
}

}  // namespace

void run(const prim::Random& what, Operands, const Operand& out) {
    const std::array<Word, 2> key{static_cast<Word>(what.seed), static_cast<Word>(what.seed >> 32U)};
    for (std::int64_t i = 0; i < out.shape.size(); ++i) {
        if (what.kind == Distribution::gamma) {
            put(out.data, i, gammaOf(what, static_cast<Word>(i), key));
            continue;
        }
        const Word word = philox({static_cast<Word>(i / 4), 0, 0, 0}, key)[static_cast<std::size_t>(i % 4)];
        what.kind == Distribution::uniformInt ? put(out.data, i, integerOf(what, word))
                                              : put(out.data, i, numberOf(what, word));
    }
}

}  // namespace stile::host
