#include "lib/math.glsl"
// What is kept of a window that slides over NHWC images: the largest value; AVERAGE: the mean; DILATION: the largest after the
// filter in the second input has been added; PLACE: where the largest is, in the image (0) or in all of them (1). An invocation
// computes one value, or those of four channels (WIDE). P as in src/kernels/window.hpp. LAST: the pass that finishes a mean.
#ifdef INTEGER
#define VALUE int
#define LEAST (-2147483647 - 1)
#define VALUE4 ivec4
#define IS_LARGER(a, b) ((a) > (b))
#else
#define VALUE float
#define LEAST (-st_inf())
#define VALUE4 vec4
#define IS_LARGER(a, b) st_less(b, a)
#endif
#ifdef WIDE
#define ITEM VALUE4
#define PLACES ivec4
#define LANES 4
#define LANE(v, j) v[j]
#else
#define ITEM VALUE
#define PLACES int
#define LANES 1
#define LANE(v, j) v
#endif
// How many of n positions start, start + step, … lie inside 0 … extent - 1.
int inside(int start, int step, int n, int extent) {
    int first = start >= 0 ? 0 : (-start + step - 1) / step;
    int end = start >= extent ? 0 : min(n, (extent - start + step - 1) / step);
    return max(end - first, 0);
}

void main() {
    int id = invocation();
    if (id >= P[0]) return;
    int rest = quotient(id, 19);
    int c = id - rest * P[19];
    int line = quotient(rest, 22);
    int x = rest - line * P[22];
    int batch = quotient(line, 25);
    int y = line - batch * P[25];
    int image = batch * P[1] * P[2] * P[19];  // in items
#if defined(AVERAGE)
    ITEM total = ITEM(0.0);
#elif defined(PLACE)
    PLACES place = PLACES(-1);
    ITEM total = ITEM(LEAST);
#ifdef ACCUMULATE
    place = result[id];
    for (int j = 0; j < LANES; ++j) {
        if (LANE(place, j) < 0) continue;
        LANE(place, j) -= PLACE * image * LANES;
        LANE(total, j) = LANE(in0(image + LANE(place, j) / LANES), j);
    }
#endif
#elif defined(ACCUMULATE)
    ITEM total = result[id];
#else
    ITEM total = ITEM(LEAST);
#endif
    for (int ky = P[15]; ky < P[16]; ++ky) {
        int iy = y * P[9] - P[13] + ky * P[11];
        if (iy < 0 || iy >= P[1]) continue;
        for (int kx = P[17]; kx < P[18]; ++kx) {
            int ix = x * P[10] - P[14] + kx * P[12];
            if (ix < 0 || ix >= P[2]) continue;
            int at = (iy * P[2] + ix) * P[19] + c;
            ITEM value = in0(image + at);
#if defined(AVERAGE)
            total += value;
#else
#ifdef DILATION
            value += in1((ky * P[8] + kx) * P[19] + c);
#endif
            for (int j = 0; j < LANES; ++j) {
#ifdef PLACE
                bool first = LANE(place, j) < 0 && LANE(value, j) == LEAST;
                if (!first && !IS_LARGER(LANE(value, j), LANE(total, j))) continue;
                LANE(place, j) = at * LANES + j;
#else
                if (!IS_LARGER(LANE(value, j), LANE(total, j))) continue;
#endif
                LANE(total, j) = LANE(value, j);
            }
#endif
        }
    }
#ifdef AVERAGE
#ifdef ACCUMULATE
    total += result[id];
#endif
#ifdef LAST
    int rows = inside(y * P[9] - P[13], P[11], P[7], P[1]), columns = inside(x * P[10] - P[14], P[12], P[8], P[2]);
    total /= float(rows * columns);
#endif
#endif
#ifdef PLACE
    for (int j = 0; j < LANES; ++j) {
        if (LANE(place, j) >= 0) LANE(place, j) += PLACE * image * LANES;
    }
    result[id] = place;
#else
    result[id] = total;
#endif
}
