// A product, or a convolution, in tiles of 64 rows and 64 columns. A work group of 64 invocations brings 16 factors of each of its rows
// and columns to shared memory, from where each invocation takes those of 8 rows and 2 quads of columns. For hardware, whose memory
// is slow to read and whose registers are few. WIDE_A and WIDE_B only.
// P[0]: invocations; the rest, and the functions on operands: lib/product.glsl.
#include "lib/product.glsl"

#define SIDE 64
#define DEPTH 16
shared SCALAR left[DEPTH * SIDE];
shared VEC4 right[DEPTH * SIDE / 4];
#ifdef CONVOLUTION
shared int isInside[SIDE];  // of each row
shared int isSpecial;       // there are weights of which a zero makes NaN
bool hasSpecial(vec4 w) { return any(equal(floatBitsToUint(w) & 0x7f800000u, uvec4(0x7f800000u))); }
#endif

void main() {
    int lane = int(gl_LocalInvocationID.x);
    int tile = invocation() / int(gl_WorkGroupSize.x);
    if (tile * int(gl_WorkGroupSize.x) >= P[0]) return;
    int columns = (N + SIDE - 1) / SIDE, bands = (M + SIDE - 1) / SIDE;
    int rest = tile / columns;
    int column = (tile - rest * columns) * SIDE;
    int batch = rest / bands;
    int row = (rest - batch * bands) * SIDE;
    // Which part of the tile is this invocation's: to bring, and to compute.
    Place place = placeOf(batch, min(row + lane, M - 1));
    int quad = lane % 16, depth = lane / 16;
    int firstRow = lane / 8 * 8, firstQuad = lane % 8 * 2;
    VEC4 sum[16];
    for (int i = 0; i < 16; ++i) sum[i] = VEC4(0);
#ifdef CONVOLUTION
    if (lane == 0) isSpecial = 0;
#endif
    for (int tap = TAP_BEGIN; tap < TAP_END; ++tap) {
        int ty = tap / WINDOW_WIDTH, tx = tap - ty * WINDOW_WIDTH;
        int a = startOfA(place, ty, tx), b = startOfB(batch, tap);
        for (int k = K_BEGIN; k < K_END; k += DEPTH) {
            barrier();  // all have read what was there
#ifdef CONVOLUTION
            isInside[lane] = a >= 0 ? 1 : 0;
#endif
            for (int q = 0; q < DEPTH / 4; ++q) {
                int at = k + 4 * q;
                VEC4 f = in0((max(a, 0) + min(at, K_END - 4)) >> 2);
                if (a < 0 || at >= K_END) f = VEC4(0);
                for (int j = 0; j < 4; ++j) left[(4 * q + j) * SIDE + lane] = f[j];
            }
            for (int d = depth; d < DEPTH; d += 4) {
                VEC4 w = quadOfB(b + min(k + d, K_END - 1) * N, column + 4 * quad);
                if (k + d >= K_END) w = VEC4(0);
                right[d * (SIDE / 4) + quad] = w;
#ifdef CONVOLUTION
                if (hasSpecial(w)) isSpecial = 1;
#endif
            }
            barrier();
            for (int d = 0; d < DEPTH; ++d) {
                VEC4 w0 = right[d * (SIDE / 4) + firstQuad], w1 = right[d * (SIDE / 4) + firstQuad + 1];
                for (int i = 0; i < 8; ++i) {
                    SCALAR f = left[d * SIDE + firstRow + i];
#ifdef CONVOLUTION
                    // Outside the image there is no factor: the zero in its place makes NaN of an infinite weight.
                    if (isSpecial == 0 || isInside[firstRow + i] != 0) {
                        sum[2 * i] += f * w0;
                        sum[2 * i + 1] += f * w1;
                    }
#else
                    sum[2 * i] += f * w0;
                    sum[2 * i + 1] += f * w1;
#endif
                }
            }
        }
    }
    for (int i = 0; i < 8; ++i) {
        for (int c = 0; c < 2; ++c) store(batch, row + firstRow + i, column + 4 * (firstQuad + c), sum[2 * i + c]);
    }
    finish(batch, row + firstRow, 8, column + 4 * firstQuad, 2);
}
