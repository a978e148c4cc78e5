// Resizes NHWC images. P[0]: invocations; P[1…2]: height and width before; P[3]: height after, P[6]: width after, P[9]: items of a pixel,
// P[12]: invocations of a line of the result, P[15], P[18]: the denominators of rows and columns (divisors). An item is ITEM: a channel,
// or four as a vector; an invocation computes COUNT of them. Positions are fractions of integers, so that no rounding picks a
// neighbour. ALIGN, HALF: see stile::image::ResizeOptions. AXES: 3, or 1 if only columns, 2 if only rows are resized.
int numerator(int o, int before, int after) {
#if ALIGN
    return after > 1 ? o * (before - 1) : o * before;
#elif HALF
    return (2 * o + 1) * before;
#else
    return o * before;
#endif
}

#if BILINEAR
// A position between two neighbours.
struct Between {
    int first, second;
    float weight;
};
Between between(int o, int before, int after, int denominator) {
    int n = numerator(o, before, after);
#if HALF
    n -= after;
#endif
    int first = quotient(max(n, 0), denominator);
    float weight = n < 0 ? 0.0 : float(n - first * P[denominator]) / float(P[denominator]);
    return Between(first, min(first + 1, before - 1), weight);
}
// Without the second where it does not count: 0 · infinity is not 0.
ITEM between(ITEM a, ITEM b, float weight) { return weight == 0.0 ? a : a + (b - a) * weight; }
#else
int nearest(int o, int before, int after, int denominator) {
    int n = numerator(o, before, after);
#if ALIGN
    n += P[denominator] / 2;
#endif
    return min(quotient(n, denominator), before - 1);
}
#endif

void main() {
    int id = invocation();
    if (id >= P[0]) return;
    int line = quotient(id, 12);
    int batch = quotient(line, 3);
    int y = line - batch * P[3];
    int image = batch * P[1];
#if !BILINEAR
    int top = (image + nearest(y, P[1], P[3], 15)) * P[2];
#elif AXES == 1
    int top = (image + y) * P[2];
#else
    Between row = between(y, P[1], P[3], 15);
    int top = (image + row.first) * P[2], bottom = (image + row.second) * P[2];
#endif
    ITEM values[COUNT];
    for (int j = 0; j < COUNT; ++j) {
        int item = (id - line * P[12]) * COUNT + j;
#if BILINEAR && AXES == 2
        ITEM upper = ITEM(in0(top * P[9] + item)), lower = ITEM(in0(bottom * P[9] + item));
#else
        int x = quotient(item, 9);
        int c = item - x * P[9];
#if BILINEAR
        Between column = between(x, P[2], P[6], 18);
        int left = column.first * P[9] + c, right = column.second * P[9] + c;
        ITEM upper = between(ITEM(in0(top * P[9] + left)), ITEM(in0(top * P[9] + right)), column.weight);
#if AXES == 3
        ITEM lower = between(ITEM(in0(bottom * P[9] + left)), ITEM(in0(bottom * P[9] + right)), column.weight);
#endif
#endif
#endif
#if !BILINEAR
        values[j] = in0((top + nearest(x, P[2], P[6], 18)) * P[9] + c);
#elif AXES == 1
        values[j] = upper;
#else
        values[j] = between(upper, lower, row.weight);
#endif
    }
#if COUNT == 4
    result[id] = QUAD(values[0], values[1], values[2], values[3]);
#else
    result[id] = values[0];
#endif
}
