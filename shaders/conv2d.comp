// Cross-correlation of NHWC images with [height, width, in, out] filters. An invocation computes four neighbouring columns of
// OUT output channels (one, or four as a vector). IN: input channels read at a time.
// P[0]: invocations; P[1…4]: input height, width, channels, output channels; P[5], P[6]: output height, width;
// P[7…8]: filter height, width; P[9…10]: strides; P[11…12]: dilations; P[13…14]: padding above and to the left;
// P[15…16]: rows and P[17…18]: columns of the filter in this pass; P[19…20]: input channels in this pass.
// TRANSPOSED: the window slides over the output, and the input is where it stops.
#if OUT == 4
#define VALUE vec4
#else
#define VALUE float
#endif
#define COLUMNS 4
// Filter of one input channel: the outputs of this invocation.
VALUE weight(int ky, int kx, int c, int o) {
    int at = ((ky * P[8] + kx) * P[3] + c) * P[4] + o;
#if OUT == 4
    return in1(at >> 2);
#else
    return in1(at);
#endif
}

// The input's position under tap k at the output's position o; -1 outside.
int source(int o, int k, int extent, int stride, int dilation, int before) {
#ifdef TRANSPOSED
    int reached = o + before - k * dilation;
    if (reached < 0) return -1;
    int i = reached / stride;
    return i * stride == reached && i < extent ? i : -1;
#else
    int i = o * stride - before + k * dilation;
    return i < extent ? max(i, -1) : -1;
#endif
}

void main() {
    int id = invocation();
    if (id >= P[0]) return;
    int groups = P[4] / OUT, tiles = (P[6] + COLUMNS - 1) / COLUMNS;
    int o = (id % groups) * OUT;
    int rest = id / groups;
    int x = (rest % tiles) * COLUMNS;
    rest /= tiles;
    int y = rest % P[5];
    int batch = rest / P[5];
    VALUE sum[COLUMNS];
    for (int j = 0; j < COLUMNS; ++j) sum[j] = VALUE(0.0);
    for (int ky = P[15]; ky < P[16]; ++ky) {
        int iy = source(y, ky, P[1], P[9], P[11], P[13]);
        if (iy < 0) continue;
        int line = (batch * P[1] + iy) * P[2];
        for (int kx = P[17]; kx < P[18]; ++kx) {
            int from[COLUMNS];
            int inside[COLUMNS];  // 0 or 1: zink on Mesa 22 makes no pipeline of an array of bools
            for (int j = 0; j < COLUMNS; ++j) {
                int ix = source(x + j, kx, P[2], P[10], P[12], P[14]);
                inside[j] = ix >= 0 ? 1 : 0;
                from[j] = (line + max(ix, 0)) * P[3];
            }
            for (int c = P[19]; c < P[20]; c += IN) {
#if IN == 4
                VALUE w0 = weight(ky, kx, c, o), w1 = weight(ky, kx, c + 1, o), w2 = weight(ky, kx, c + 2, o),
                      w3 = weight(ky, kx, c + 3, o);
                for (int j = 0; j < COLUMNS; ++j) {
                    vec4 v = in0((from[j] + c) >> 2);
                    if (inside[j] != 0) sum[j] += v.x * w0 + v.y * w1 + v.z * w2 + v.w * w3;
                }
#else
                VALUE w = weight(ky, kx, c, o);
                for (int j = 0; j < COLUMNS; ++j) {
                    float v = in0(from[j] + c);
                    if (inside[j] != 0) sum[j] += v * w;
                }
#endif
            }
        }
    }
    for (int j = 0; j < COLUMNS; ++j) {
        if (x + j >= P[6]) break;
        int at = (((batch * P[5] + y) * P[6] + x + j) * P[4] + o) / OUT;
#ifdef ACCUMULATE
        sum[j] += result[at];
#endif
        result[at] = sum[j];
    }
}
