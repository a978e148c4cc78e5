// Sums of floats that meet in a row of the result, the same on every run: the updates are put in order of their rows, summed in blocks
// of 64, 64² and so on, and each row takes what it covers. P[0]: invocations, P[1]: elements of a row.
#if STEP == 0
// The updates in order. in0: the order, in1: the updates; P[2]: 1, or 0 if one element stands for all.
void main() {
    int id = invocation();
    if (id >= P[0]) return;
    int k = id / P[1];
    result[id] = in1((in0(k) * P[1] + id - k * P[1]) * P[2]);
}
#elif STEP == 1
// Blocks of a level, which begins at P[2], become the next one, which begins at P[3].
void main() {
    int id = invocation();
    if (id >= P[0]) return;
    int k = id / P[1];
    int at = P[2] + k * 64 * P[1] + id - k * P[1];
    float total = 0.0;
    for (int j = 0; j < 64; ++j) total += result[at + j * P[1]];
    result[P[3] + id] = total;
}
#else
// in0: the row of each update, in1: the order, in2: the levels; P[2]: updates. Adds to what is there.
int firstOf(int row) {
    int low = 0;
    int high = P[2];
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (in0(in1(middle)) < row) low = middle + 1; else high = middle;
    }
    return low;
}
void main() {
    int id = invocation();
    if (id >= P[0]) return;
    int row = id / P[1];
    int column = id - row * P[1];
    int begin = firstOf(row);
    int end = firstOf(row + 1);
    if (begin == end) return;
    int level = 0;
    int size = P[2];
    float total = 0.0;
    // Each level adds the ragged ends and leaves whole blocks to the next.
    bool whole = true;
    while (whole) {
        int up = (begin + 63) / 64;
        int down = end / 64;
        whole = up < down;
        int stop = whole ? up * 64 : end;
        for (int k = begin; k < stop; ++k) total += in2(level + k * P[1] + column);
        if (whole) {
            for (int k = down * 64; k < end; ++k) total += in2(level + k * P[1] + column);
        }
        begin = up;
        end = down;
        level += size * P[1];
        size /= 64;
    }
    result[id] += total;
}
#endif
