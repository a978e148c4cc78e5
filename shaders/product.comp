// A product, or a convolution, in registers: an invocation computes ROWS rows of QUADS neighbouring quads of columns, so that each quad
// that it reads serves many sums. P[0]: invocations; the rest, and the functions on operands: lib/product.glsl.
#include "lib/product.glsl"

void main() {
    int id = invocation();
    if (id >= P[0]) return;
    // Down a strip first: its part of b stays in a near cache.
    int lane = id % LANES, bands = (M + ROWS - 1) / ROWS;
    int rest = id / LANES;
    int row = (rest % bands) * ROWS;
    rest /= bands;
    int batch = rest / STRIPS;
    int column = ((rest - batch * STRIPS) * LANES + lane) * 4 * QUADS;
    if (column >= N) return;
    // Loops over constants are unrolled, which the arrays need to be registers.
    VEC4 sum[ROWS * QUADS];
    for (int i = 0; i < ROWS; ++i) {
        for (int c = 0; c < QUADS; ++c) sum[i * QUADS + c] = VEC4(0);
    }
    Place places[ROWS];
    places[0] = placeOf(batch, row);
    for (int i = 1; i < ROWS; ++i) {
        places[i] = places[i - 1];
        if (row + i < M) places[i] = after(places[i]);  // or the last one again
    }
    for (int tap = TAP_BEGIN; tap < TAP_END; ++tap) {
        int ty = tap / WINDOW_WIDTH, tx = tap - ty * WINDOW_WIDTH;
        int a[ROWS];
        for (int i = 0; i < ROWS; ++i) a[i] = startOfA(places[i], ty, tx);
        int b = startOfB(batch, tap);
        for (int k = K_BEGIN; k < K_END; k += STEP) {
            VEC4 w[STEP * QUADS];
            for (int q = 0; q < STEP; ++q) {
                for (int c = 0; c < QUADS; ++c) w[q * QUADS + c] = quadOfB(b + (k + q) * N, column + 4 * c);
            }
            for (int i = 0; i < ROWS; ++i) {
#ifdef CONVOLUTION
                // Outside the image there is no factor: a zero would make NaN of an infinite weight.
                bool isInside = a[i] >= 0;
                int at = max(a[i], 0) + k;
#else
                const bool isInside = true;
                int at = a[i] + k;
#endif
#ifdef WIDE_A
                VEC4 f = in0(at >> 2);
                for (int c = 0; c < QUADS; ++c) {
                    VEC4 part = f.x * w[c] + f.y * w[QUADS + c] + f.z * w[2 * QUADS + c] + f.w * w[3 * QUADS + c];
                    if (isInside) sum[i * QUADS + c] += part;
                }
#else
                SCALAR f = in0(at);
                for (int c = 0; c < QUADS; ++c) {
                    if (isInside) sum[i * QUADS + c] += f * w[c];
                }
#endif
            }
        }
    }
    for (int i = 0; i < ROWS; ++i) {
        for (int c = 0; c < QUADS; ++c) store(batch, row + i, column + 4 * c, sum[i * QUADS + c]);
    }
    finish(batch, row, ROWS, column, QUADS);
}
