// Merge sort of positions by the values that they point at; equals keep their order. Only the first KEPT of each run go on.
// VALUE, before(a, b): whether a comes before b.
#ifdef BLOCKS
// Blocks of P[2] neighbours: an element's place is the number of those before it.
// P[0]: elements, P[1]: in a row, P[3]: kept of a block, P[4]: blocks of a row.
void main() {
    int id = invocation();
    if (id >= P[0]) return;
    int row = id / P[1];
    int i = id - row * P[1];
    int block = i / P[2];
    VALUE v = in0(id);
    int place = 0;
    int end = min((block + 1) * P[2], P[1]);
    for (int k = block * P[2]; k < end; ++k) {
        VALUE other = in0(row * P[1] + k);
        if (before(other, v) || (k < i && !before(v, other))) ++place;
    }
    if (place < P[3]) result[(row * P[4] + block) * P[3] + place] = i;
}
#else
// Pairs of runs are merged: an element's place is its own in its run and the number of those before it in the other.
// in1: the runs. P[0]: their places, P[1]: elements of a row, P[2]: elements that a run is of, P[3]: kept of a run, P[4]: runs of a row;
// P[5], P[6]: kept of a run and runs of a row from now on.
int lengthOf(int run) { return run < P[4] ? min(P[3], P[1] - run * P[2]) : 0; }
void main() {
    int id = invocation();
    if (id >= P[0]) return;
    int j = id % P[3];
    int rest = id / P[3];
    int run = rest % P[4];
    int row = rest / P[4];
    if (j >= lengthOf(run)) return;
    int index = in1(id);
    VALUE v = in0(row * P[1] + index);
    int other = run ^ 1;
    int start = (row * P[4] + other) * P[3];
    int low = 0;
    int high = lengthOf(other);
    while (low < high) {
        int middle = low + (high - low) / 2;
        VALUE w = in0(row * P[1] + in1(start + middle));
        // Of equals those of the left run come first.
        bool precedes = other < run ? !before(v, w) : before(w, v);
        if (precedes) low = middle + 1; else high = middle;
    }
    int place = j + low;
    if (place < P[5]) result[(row * P[6] + run / 2) * P[5] + place] = index;
}
#endif
