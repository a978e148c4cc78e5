// Resizes NHWC images. P[0]: elements; P[1…5]: height and width before, height and width after, channels.
// Positions are fractions of integers, so that no rounding picks a neighbour. ALIGN, HALF: see stile::image::ResizeOptions.
int numerator(int o, int before, int after) {
#if ALIGN
    return after > 1 ? o * (before - 1) : o * before;
#elif HALF
    return (2 * o + 1) * before;
#else
    return o * before;
#endif
}
int denominator(int after) {
#if ALIGN
    return max(after - 1, 1);
#elif HALF
    return 2 * after;
#else
    return after;
#endif
}
int at(int b, int y, int x, int c) { return ((b * P[1] + y) * P[2] + x) * P[5] + c; }

void main() {
    int i = invocation();
    if (i >= P[0]) return;
    int c = i % P[5];
    int rest = i / P[5];
    int x = rest % P[4];
    rest /= P[4];
    int y = rest % P[3];
    int b = rest / P[3];
    int ny = numerator(y, P[1], P[3]), dy = denominator(P[3]);
    int nx = numerator(x, P[2], P[4]), dx = denominator(P[4]);
#if BILINEAR
#if HALF
    ny -= dy / 2;
    nx -= dx / 2;
#endif
    int top = max(ny, 0) / dy, left = max(nx, 0) / dx;
    float v = ny < 0 ? 0.0 : float(ny - top * dy) / float(dy);
    float u = nx < 0 ? 0.0 : float(nx - left * dx) / float(dx);
    int bottom = min(top + 1, P[1] - 1), right = min(left + 1, P[2] - 1);
    float a = float(in0(at(b, top, left, c))), d = float(in0(at(b, top, right, c)));
    float e = float(in0(at(b, bottom, left, c))), f = float(in0(at(b, bottom, right, c)));
    float upper = u == 0.0 ? a : a + (d - a) * u;
    float lower = u == 0.0 ? e : e + (f - e) * u;
    result[i] = v == 0.0 ? upper : upper + (lower - upper) * v;
#else
#if ALIGN
    int row = (2 * ny + dy) / (2 * dy), column = (2 * nx + dx) / (2 * dx);
#else
    int row = ny / dy, column = nx / dx;
#endif
    result[i] = in0(at(b, min(row, P[1] - 1), min(column, P[2] - 1), c));
#endif
}
