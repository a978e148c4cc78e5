// One pass of the mixed-radix Stockham transform (Govindaraju et al., "High performance discrete Fourier transforms on graphics
// processors", 2008): no reordering before or behind. An invocation reads RADIX numbers, a stride apart, turns them by
// their roots, transforms them and writes them. in0: numbers as pairs of floats; in1: the roots exp(-2πi k / n).
// P[0]: transforms of RADIX numbers; P[1]: n; P[2]: the product of the radices before; P[3]: the scale as bits; P[4]: 1, or -1
// for the inverse.

vec2 product(vec2 a, vec2 b) { return vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

vec2 root(int k) { return vec2(in1(2 * k), float(P[4]) * in1(2 * k + 1)); }

void main() {
    int i = invocation();
    if (i >= P[0]) return;
    int n = P[1], before = P[2];
    int stride = n / RADIX;
    int row = i / stride;
    int j = i - row * stride;
    int k = j % before;
    int step = stride / before;  // the roots of order before · RADIX are so far apart
    vec2 v[RADIX];
    for (int t = 0; t < RADIX; ++t) {
        int at = 2 * (row * n + j + t * stride);
        vec2 value = vec2(in0(at), in0(at + 1));
        v[t] = t == 0 || k == 0 ? value : product(value, root(k * t * step));
    }
    vec2 w[RADIX];
#if RADIX == 2
    w[0] = v[0] + v[1];
    w[1] = v[0] - v[1];
#elif RADIX == 4
    vec2 a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = v[1] - v[3];
    vec2 turned = float(P[4]) * vec2(d.y, -d.x);  // by -i
    w[0] = a + c;
    w[1] = b + turned;
    w[2] = a - c;
    w[3] = b - turned;
#else
    for (int s = 0; s < RADIX; ++s) {
        w[s] = v[0];
        for (int t = 1; t < RADIX; ++t) w[s] += product(v[t], root((s * t) % RADIX * stride));
    }
#endif
    float scale = intBitsToFloat(P[3]);
    int to = row * n + (j - k) * RADIX + k;
    for (int t = 0; t < RADIX; ++t) {
        int at = 2 * (to + t * before);
        result[at] = w[t].x * scale;
        result[at + 1] = w[t].y * scale;
    }
}
