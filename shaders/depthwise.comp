// Each input channel of NHWC images with its own [height, width, in, multiplier] filters. An invocation computes four neighbouring columns
// of one channel of the result, or of four as a vector (ITEM), where the multiplier is 1.
// P as kernels/window.hpp tells; P[4] = in · multiplier, P[28] = multiplier (a divisor).
#define COLUMNS 4
void main() {
    int id = invocation();
    if (id >= P[0]) return;
    int rest = quotient(id, 19);
    int o = id - rest * P[19];
    int line = quotient(rest, 22);
    int x = (rest - line * P[22]) * COLUMNS;
    int batch = quotient(line, 25);
    int y = line - batch * P[25];
    int c = quotient(o, 28);
    int channels = quotient(P[19], 28);
    ITEM sum[COLUMNS];
    for (int j = 0; j < COLUMNS; ++j) sum[j] = ITEM(0.0);
    for (int ky = P[15]; ky < P[16]; ++ky) {
        int iy = y * P[9] - P[13] + ky * P[11];
        if (iy < 0 || iy >= P[1]) continue;
        for (int kx = P[17]; kx < P[18]; ++kx) {
            ITEM weight = in1((ky * P[8] + kx) * P[19] + o);
            for (int j = 0; j < COLUMNS; ++j) {
                int ix = (x + j) * P[10] - P[14] + kx * P[12];
                ITEM value = in0(((batch * P[1] + iy) * P[2] + clamp(ix, 0, P[2] - 1)) * channels + c);
                if (ix >= 0 && ix < P[2]) sum[j] += value * weight;
            }
        }
    }
    for (int j = 0; j < COLUMNS; ++j) {
        if (x + j >= P[6]) break;
        int at = (line * P[6] + x + j) * P[19] + o;
#ifdef ACCUMULATE
        sum[j] += result[at];
#endif
        result[at] = sum[j];
    }
}
