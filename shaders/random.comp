#include "lib/math.glsl"
#include "lib/philox.glsl"
// Four random numbers an invocation: element 4 q + j is word j of Philox at counter q. P[0]: quads; P[1], P[2]: the seed;
// P[3], P[4]: the two parameters as bits; P[5]: the quad of the result that the first invocation writes.
// DISTRIBUTION: 0 uniform, 1 uniformInt, 2 normal, 3 truncatedNormal, 4 gamma.

// The inverse error function: Giles, "Approximating the erfinv function", GPU Computing Gems 2 (2011), single precision.
float inverseErf(float x) {
    float w = -st_log((1.0 - x) * (1.0 + x));
    float p;
    if (w < 5.0) {
        w -= 2.5;
        p = 1.50140941 + w * (0.246640727 + w * (-0.00417768164 + w * (-0.00125372503 + w * (0.000218580870 +
            w * (-4.39150654e-6 + w * (-3.5233877e-6 + w * (3.43273939e-7 + w * 2.81022636e-8)))))));
    } else {
        w = sqrt(w) - 3.0;
        p = 2.83297682 + w * (1.00167406 + w * (0.00943887047 + w * (-0.0076224613 + w * (0.00573950773 +
            w * (-0.00367342844 + w * (0.00134934322 + w * (0.000100950558 - w * 0.000200214257)))))));
    }
    return p * x;
}

uvec4 draw(uint element, uint attempt) { return philox(uvec4(element, attempt, 0u, 0u), uvec2(uint(P[1]), uint(P[2]))); }

// In (-1, 1). 23 bits and a half, exact: rounded to 1 it would give an infinity.
float centred(uint word) { return (float(word >> 9) + 0.5) * 2.384185791015625e-7 - 1.0; }

#if DISTRIBUTION == 4
// Marsaglia, Tsang, "A simple method for generating gamma variables", ACM TOMS 26 (2000). Attempt n of an element is the Philox
// block of the counter (element, n); one in twenty is refused at most, so that none comes near the last.
float number(uint element) {
    float shape = intBitsToFloat(P[3]);
    float d = (shape < 1.0 ? shape + 1.0 : shape) - 1.0 / 3.0;
    float c = inversesqrt(9.0 * d);
    float cube = 1.0;
    uint last = 0u;
    for (uint attempt = 0u; attempt < 64u; ++attempt) {
        uvec4 words = draw(element, attempt);
        float x = 1.4142135623730951 * inverseErf(centred(words.x));
        float u = (centred(words.y) + 1.0) * 0.5;
        last = words.z;
        float v = 1.0 + c * x;
        cube = v * v * v;
        if (v > 0.0 && st_log(u) < 0.5 * x * x + d * (1.0 - cube + st_log(cube))) break;
        cube = 1.0;
    }
    float gamma = d * cube;
    // A shape below 1 is had from the next one: the same paper, section 6.
    if (shape < 1.0) gamma *= st_exp(st_log((centred(last) + 1.0) * 0.5) / shape);
    return gamma * intBitsToFloat(P[4]);
}
#elif DISTRIBUTION == 1
int number(uint word) {
    // floor(word · count / 2^32): a bias below count / 2^32 (Lemire, 2019, without the rejection).
    uint count = uint(P[4]) - uint(P[3]);
    uint high, low;
    umulExtended(word, count, high, low);
    return int(uint(P[3]) + high);
}
#else
float number(uint word) {
    float first = intBitsToFloat(P[3]), second = intBitsToFloat(P[4]);
#if DISTRIBUTION == 0
    // 24 bits: every value is a float, so that no driver rounds.
    float u = float(word >> 8) * 5.9604644775390625e-8;
    PRECISE float width = second - first;
    PRECISE float scaled = u * width;
    PRECISE float value = first + scaled;
    return value < second || first == second ? value : first;
#else
    float quantile = centred(word);
#if DISTRIBUTION == 3
    quantile *= 0.95449973610364;  // erf(sqrt(2)): two deviations
#endif
    float normal = 1.4142135623730951 * inverseErf(quantile);
#if DISTRIBUTION == 3
    normal = clamp(normal, -2.0, 2.0);
#endif
    return first + normal * second;
#endif
}
#endif

void main() {
    int q = invocation();
    if (q >= P[0]) return;
#if DISTRIBUTION == 4
    uvec4 words = uint(4 * (q + P[5])) + uvec4(0u, 1u, 2u, 3u);
#else
    uvec4 words = draw(uint(q + P[5]), 0u);
#endif
    result[q] = RESULT(number(words.x), number(words.y), number(words.z), number(words.w));
}
