// Merge sort of positions by the values that they point at; equals go in the order of their positions, those from P[1] on come last.
// Only the first KEPT of each run go on. VALUE, before(a, b): whether a comes before b. P[1]: elements of a row.
#define BEST 0
#define MEMBERS 1
#define BLOCKS 2
#define RUNS 3
#ifndef QUAD
VALUE valueAt(int row, int position) { return in0(row * P[1] + min(position, P[1] - 1)); }
bool precedes(VALUE a, int p, VALUE b, int q) {
    if (p >= P[1] || q >= P[1]) return p < q;
    return before(a, b) || (p < q && !before(b, a));
}
#endif
#if STEP == BEST
// The position of the first element of each block of P[2] neighbours. P[0]: blocks, P[3]: those of a row (a divisor). QUAD: rows are
// multiples of four.
void main() {
    int id = invocation();
    if (id >= P[0]) return;
    int row = quotient(id, 3);
    int first = (id - row * P[3]) * P[2];
    int end = min(first + P[2], P[1]);
    int best = first;
#ifdef QUAD
    VALUE v = in0((row * P[1] + first) >> 2).x;
    for (int k = first; k < end; k += 4) {
        QUAD others = in0((row * P[1] + k) >> 2);
        for (int j = 0; j < 4; ++j) {
            if (!before(others[j], v)) continue;
            v = others[j];
            best = k + j;
        }
    }
#else
    VALUE v = valueAt(row, best);
    for (int k = first + 1; k < end; ++k) {
        VALUE other = valueAt(row, k);
        if (!before(other, v)) continue;
        v = other;
        best = k;
    }
#endif
    result[id] = best;
}
#elif STEP == MEMBERS
// All positions of the blocks of P[2] neighbours (a divisor) that the positions in in1 lie in. P[0]: positions.
void main() {
    int id = invocation();
    if (id >= P[0]) return;
    int block = quotient(id, 2);
    int start = in1(block);
    result[id] = quotient(start, 2) * P[2] + id - block * P[2];
}
#elif STEP == BLOCKS
// Blocks of P[2] neighbours: an element's place is the number of those before it. LIST(i): the position of the i-th element.
// P[0]: elements, P[2]: kept of a block, P[3]: blocks of a row, P[4]: elements of a row (a divisor), P[7]: of a block (a divisor).
// Here and below a row is one of the list, which may have more places than P[1] or fewer.
void main() {
    int id = invocation();
    if (id >= P[0]) return;
    int row = quotient(id, 4);
    int i = id - row * P[4];
    int block = quotient(i, 7);
    int position = LIST(id, i);
    VALUE v = valueAt(row, position);
    int place = 0;
    int end = min((block + 1) * P[7], P[4]);
    for (int k = block * P[7]; k < end; ++k) {
        int other = LIST(id - i + k, k);
        if (precedes(valueAt(row, other), other, v, position)) ++place;
    }
    if (place < P[2]) result[(row * P[3] + block) * P[2] + place] = position;
}
#else
// Pairs of runs are merged: an element's place is its own in its run and the number of those before it in the other.
// in1: the runs. P[0]: their places, P[2]: elements that a run is of, P[3]: elements of a row, P[4], P[5]: kept of a run and runs of a
// row from now on; P[6], P[9]: kept of a run and runs of a row before (divisors).
int lengthOf(int run) { return run < P[9] ? min(P[6], P[3] - run * P[2]) : 0; }
void main() {
    int id = invocation();
    if (id >= P[0]) return;
    int rest = quotient(id, 6);
    int j = id - rest * P[6];
    int row = quotient(rest, 9);
    int run = rest - row * P[9];
    if (j >= lengthOf(run)) return;
    int position = in1(id);
    VALUE v = valueAt(row, position);
    int other = run ^ 1;
    int start = (row * P[9] + other) * P[6];
    int low = 0;
    int high = lengthOf(other);
    while (low < high) {
        int middle = low + (high - low) / 2;
        int rival = in1(start + middle);
        if (precedes(valueAt(row, rival), rival, v, position)) low = middle + 1; else high = middle;
    }
    int place = j + low;
    if (place < P[4]) result[(row * P[5] + run / 2) * P[4] + place] = position;
}
#endif
