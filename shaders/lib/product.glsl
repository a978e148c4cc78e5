// Where the kernels of products find their operands: c [m, n] (+)= a [m, k] × b [k, n], in batches. A convolution is one of these for
// each place of its window (a tap): rows are the positions of the result, k the input channels, columns the output channels; nothing
// is gathered before. Defines: VEC4, SCALAR: the element type; WIDE_A: k is a multiple of four; WIDE_B: n is; ACCUMULATE: adds to what
// an earlier pass wrote; EPILOGUE: quad(at, value) makes the result of what was summed up; CONVOLUTION, TRANSPOSED: the window slides over the result, and the image is where it stops.
#define M P[1]
#define N P[2]
#define K P[3]
#define K_BEGIN P[4]     // the part of k in this pass
#define K_END P[5]
#define LANES P[6]       // invocations that lie side by side
#define STRIPS P[7]      // so wide, in the columns of a batch
#ifdef CONVOLUTION
#define HEIGHT P[8]      // of the image
#define WIDTH P[9]
#define OUT_HEIGHT P[10]
#define OUT_WIDTH P[11]
#define WINDOW_WIDTH P[12]
#define STRIDE_Y P[13]
#define STRIDE_X P[14]
#define DILATION_Y P[15]
#define DILATION_X P[16]
#define TOP P[17]        // padding
#define LEFT P[18]
#define TAP_BEGIN P[19]  // the taps of this pass
#define TAP_END P[20]
#else
#define WINDOW_WIDTH 1
#define TAP_BEGIN 0
#define TAP_END 1
#endif

// How many factors of a row are read at a time.
#ifdef WIDE_A
#define STEP 4
#else
#define STEP 1
#endif

#ifdef CONVOLUTION
// A position of the result.
struct Place {
    int image, y, x;
};
Place placeOf(int batch, int row) {
    int line = row / OUT_WIDTH, image = line / OUT_HEIGHT;
    return Place(image, line - image * OUT_HEIGHT, row - line * OUT_WIDTH);
}
// That of the next row, without a division.
Place after(Place p) {
    p.x += 1;
    if (p.x == OUT_WIDTH) p = Place(p.image, p.y + 1, 0);
    if (p.y == OUT_HEIGHT) p = Place(p.image + 1, 0, 0);
    return p;
}
// The image's coordinate under a tap at the result's coordinate o; -1 outside.
int under(int o, int tap, int extent, int stride, int dilation, int before) {
#ifdef TRANSPOSED
    int reached = o + before - tap * dilation;
    if (reached < 0) return -1;
    int i = reached / stride;
    return i * stride == reached && i < extent ? i : -1;
#else
    int i = o * stride - before + tap * dilation;
    return i < extent ? max(i, -1) : -1;
#endif
}
// Where the factors of a row begin in a; -1 if there are none.
int startOfA(Place p, int ty, int tx) {
    int y = under(p.y, ty, HEIGHT, STRIDE_Y, DILATION_Y, TOP), x = under(p.x, tx, WIDTH, STRIDE_X, DILATION_X, LEFT);
    return y < 0 || x < 0 ? -1 : ((p.image * HEIGHT + y) * WIDTH + x) * K;
}
int startOfB(int batch, int tap) { return tap * K * N; }
#else
// Where a row of a begins.
#define Place int
Place placeOf(int batch, int row) { return offsetA(batch) + row * K; }
Place after(Place p) { return p + K; }
int startOfA(Place p, int ty, int tx) { return p; }
int startOfB(int batch, int tap) { return offsetB(batch); }
#endif

// Four neighbouring columns of a row of b. What lies behind the last column is of no meaning, and is not read.
VEC4 quadOfB(int row, int column) {
    int last = N - 1;
#ifdef WIDE_B
    return in1((row + min(column, last - 3)) >> 2);
#else
    return VEC4(in1(row + min(column, last)), in1(row + min(column + 1, last)), in1(row + min(column + 2, last)),
                in1(row + min(column + 3, last)));
#endif
}

// Writes four neighbouring columns of a row of c.
void store(int batch, int row, int column, VEC4 value) {
    if (row >= M || column >= N) return;
    int at = (batch * M + row) * N + column;
#ifdef WIDE_B
#ifdef ACCUMULATE
    value += result[at >> 2];
#endif
    result[at >> 2] = value;
#else
    for (int j = 0; j < 4; ++j) {
        if (column + j < N) {
#ifdef ACCUMULATE
            value[j] += result[at + j];
#endif
            result[at + j] = value[j];
        }
    }
#endif
}

// Applies the epilogue to what this invocation has written of some rows. Their number and that of the quads are no constants: in a loop that
// is unrolled the chain would be compiled for each quad.
void finish(int batch, int row, int rows, int column, int quads) {
#ifdef EPILOGUE
    rows = min(rows, M - row);
    quads = min(quads, (N - column) >> 2);
    for (int i = 0; i < rows; ++i) {
        int at = ((batch * M + row + i) * N + column) >> 2;
        for (int c = 0; c < quads; ++c) result[at + c] = quad(at + c, result[at + c]);
    }
#endif
}
