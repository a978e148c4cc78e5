#include "lib/math.glsl"
// What is kept of a window that slides over NHWC images: the largest value; AVERAGE: the mean; DILATION: the largest after the
// filter in the second input has been added; PLACE: where the largest is, in the image (0) or in all of them (1). An invocation
// computes one value. P as in src/kernels/window.hpp. LAST: the pass that finishes a mean.
#ifdef INTEGER
#define VALUE int
#define LEAST (-2147483647 - 1)
#define IS_LARGER(a, b) ((a) > (b))
#else
#define VALUE float
#define LEAST (-st_inf())
#define IS_LARGER(a, b) st_less(b, a)
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
    int c = id % P[4];
    int rest = id / P[4];
    int x = rest % P[6];
    rest /= P[6];
    int y = rest % P[5];
    int image = rest / P[5] * P[1] * P[2] * P[3];
#if defined(AVERAGE)
    float total = 0.0;
#elif defined(PLACE)
    int place = -1;
    VALUE total = LEAST;
#ifdef ACCUMULATE
    place = result[id];
    if (place >= 0) {
        place -= PLACE * image;
        total = in0(image + place);
    }
#endif
#elif defined(ACCUMULATE)
    VALUE total = result[id];
#else
    VALUE total = LEAST;
#endif
    for (int ky = P[15]; ky < P[16]; ++ky) {
        int iy = y * P[9] - P[13] + ky * P[11];
        if (iy < 0 || iy >= P[1]) continue;
        for (int kx = P[17]; kx < P[18]; ++kx) {
            int ix = x * P[10] - P[14] + kx * P[12];
            if (ix < 0 || ix >= P[2]) continue;
            int at = (iy * P[2] + ix) * P[3] + c;
            VALUE value = in0(image + at);
#if defined(AVERAGE)
            total += value;
#elif defined(PLACE)
            if (IS_LARGER(value, total) || (place < 0 && value == LEAST)) {
                total = value;
                place = at;
            }
#else
#ifdef DILATION
            value += in1((ky * P[8] + kx) * P[4] + c);
#endif
            if (IS_LARGER(value, total)) total = value;
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
    result[id] = place < 0 ? place : place + PLACE * image;
#else
    result[id] = total;
#endif
}
