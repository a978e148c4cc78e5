// c [m, n] (+)= a [m, k] × b [k, n], batches of them. An invocation computes ROWS rows of four neighbouring columns.
// P[0]: invocations; P[1…3]: m, k, n; P[4], P[5]: the part of k of this pass. Generated before this: offsetA(batch) and
// offsetB(batch), in elements. WIDE_A: k is a multiple of four; WIDE_B: n is. ACCUMULATE: adds to what an earlier pass wrote.
VEC4 loadA(int row, int k) {
#ifdef WIDE_A
    return in0((row + k) >> 2);
#else
    // Only the last quad reaches past the row; its factors in b are zero there, but 0 · NaN is not.
    int last = P[5] - 1;
    return VEC4(in0(row + k), k + 1 > last ? SCALAR(0) : in0(row + k + 1), k + 2 > last ? SCALAR(0) : in0(row + k + 2),
                k + 3 > last ? SCALAR(0) : in0(row + k + 3));
#endif
}
VEC4 loadB(int base, int k, int column) {
    if (k >= P[5]) return VEC4(0);
    int at = base + k * P[3] + column;
#ifdef WIDE_B
    return in1(at >> 2);
#else
    int n = P[3];
    return VEC4(in1(at), column + 1 < n ? in1(at + 1) : SCALAR(0), column + 2 < n ? in1(at + 2) : SCALAR(0),
                column + 3 < n ? in1(at + 3) : SCALAR(0));
#endif
}

void main() {
    int id = invocation();
    if (id >= P[0]) return;
    int m = P[1], n = P[3];
    int quads = (n + 3) / 4, bands = (m + ROWS - 1) / ROWS;
    int column = (id % quads) * 4;
    int rest = id / quads;
    int row = (rest % bands) * ROWS;
    int batch = rest / bands;
    int a = offsetA(batch), b = offsetB(batch);
    int rows[ROWS];
    VEC4 sum[ROWS];
    for (int i = 0; i < ROWS; ++i) {
        rows[i] = a + min(row + i, m - 1) * P[2];
        sum[i] = VEC4(0);
    }
    for (int k = P[4]; k < P[5]; k += 4) {
        VEC4 b0 = loadB(b, k, column), b1 = loadB(b, k + 1, column), b2 = loadB(b, k + 2, column), b3 = loadB(b, k + 3, column);
        for (int i = 0; i < ROWS; ++i) {
            VEC4 f = loadA(rows[i], k);
            sum[i] += f.x * b0 + f.y * b1 + f.z * b2 + f.w * b3;
        }
    }
    int c = batch * m * n;
    for (int i = 0; i < ROWS; ++i) {
        if (row + i >= m) break;
        int at = c + (row + i) * n + column;
#ifdef WIDE_B
#ifdef ACCUMULATE
        sum[i] += result[at >> 2];
#endif
        result[at >> 2] = sum[i];
#else
        for (int j = 0; j < 4; ++j) {
            if (column + j >= n) break;
#ifdef ACCUMULATE
            sum[i][j] += result[at + j];
#endif
            result[at + j] = sum[i][j];
        }
#endif
    }
}
