#include "lib/math.glsl"
// The largest value or the mean of a window that slides over NHWC images; an invocation computes one value.
// P as in conv2d.comp, with the window in place of the filter. LAST: the pass that finishes a mean.
#ifndef AVERAGE
#ifdef INTEGER
#define VALUE int
#define LARGER(a, b) max(a, b)
#define LEAST (-2147483647 - 1)
#else
#define VALUE float
#define LARGER(a, b) (st_less(a, b) ? b : a)
#define LEAST (-st_inf())
#endif
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
    int batch = rest / P[5];
#ifdef AVERAGE
    float total = 0.0;
#else
    VALUE total = LEAST;
#endif
    for (int ky = P[15]; ky < P[16]; ++ky) {
        int iy = y * P[9] - P[13] + ky * P[11];
        if (iy < 0 || iy >= P[1]) continue;
        for (int kx = P[17]; kx < P[18]; ++kx) {
            int ix = x * P[10] - P[14] + kx * P[12];
            if (ix < 0 || ix >= P[2]) continue;
#ifdef AVERAGE
            total += in0(((batch * P[1] + iy) * P[2] + ix) * P[3] + c);
#else
            total = LARGER(total, in0(((batch * P[1] + iy) * P[2] + ix) * P[3] + c));
#endif
        }
    }
#ifdef ACCUMULATE
#ifdef AVERAGE
    total += result[id];
#else
    total = LARGER(total, result[id]);
#endif
#endif
#ifdef AVERAGE
#ifdef LAST
    int rows = inside(y * P[9] - P[13], P[11], P[7], P[1]), columns = inside(x * P[10] - P[14], P[12], P[8], P[2]);
    total /= float(rows * columns);
#endif
#endif
    result[id] = total;
}
