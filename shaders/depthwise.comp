// Each input channel of NHWC images with its own [height, width, in, multiplier] filters; an invocation computes one value.
// P as in src/kernels/window.hpp, with P[4] = in · multiplier and P[19] = multiplier.
void main() {
    int id = invocation();
    if (id >= P[0]) return;
    int o = id % P[4];
    int rest = id / P[4];
    int x = rest % P[6];
    rest /= P[6];
    int y = rest % P[5];
    int batch = rest / P[5];
    int c = o / P[19];
    float sum = 0.0;
    for (int ky = P[15]; ky < P[16]; ++ky) {
        int iy = y * P[9] - P[13] + ky * P[11];
        if (iy < 0 || iy >= P[1]) continue;
        for (int kx = P[17]; kx < P[18]; ++kx) {
            int ix = x * P[10] - P[14] + kx * P[12];
            if (ix < 0 || ix >= P[2]) continue;
            sum += in0(((batch * P[1] + iy) * P[2] + ix) * P[3] + c) * in1((ky * P[8] + kx) * P[4] + o);
        }
    }
#ifdef ACCUMULATE
    sum += result[id];
#endif
    result[id] = sum;
}
