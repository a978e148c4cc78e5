// Running sums or products along the middle axis of x [outer, extent, inner], one chunk of a line an invocation.
// P[0]: chunks in all; P[1]: extent, P[2]: inner, P[3]: chunks of a line, P[4]: elements of a chunk; P[5]: reverse, P[6]: exclusive.
// TOTALS gives what each chunk comes to alone. START(id) is what has come before a chunk: it is joined to the chunk's own running
// value, not started from, so that a long line's rounding errors do not add up.
void main() {
    int id = invocation();
    if (id >= P[0]) return;
    int inner = id % P[2];
    int rest = id / P[2];
    int chunk = rest % P[3];
    int line = rest / P[3] * P[1];
    int first = chunk * P[4];
    int last = min(first + P[4], P[1]);
    VALUE total = IDENTITY;
    for (int k = first; k < last; ++k) {
        int at = (line + (P[5] != 0 ? P[1] - 1 - k : k)) * P[2] + inner;
        VALUE next = COMBINE(total, in0(at));
#ifndef TOTALS
        VALUE running = P[6] != 0 ? total : next;
        result[at] = START(id, running);
#endif
        total = next;
    }
#ifdef TOTALS
    result[id] = total;
#endif
}
