// Running sums or products along the middle axis of x [outer, extent, inner], one chunk of a line an invocation. An ITEM is an element
// or four neighbouring ones: of four lines (the inner axis counts quads then), or, with ALONG, of one.
// P[0]: chunks in all; P[1]: items of a line, P[2]: inner, P[5]: chunks of a line (divisors), P[8]: items of a chunk; P[9]: reverse,
// P[10]: exclusive. TOTALS gives what each chunk comes to alone. START(id) is what has come before a chunk: it is joined to the chunk's
// own running value, not started from, so that a long line's rounding errors do not add up.
void main() {
    int id = invocation();
    if (id >= P[0]) return;
    int rest = quotient(id, 2);
    int inner = id - rest * P[2];
    int outer = quotient(rest, 5);
    int line = outer * P[1];
    int first = (rest - outer * P[5]) * P[8];
    int last = min(first + P[8], P[1]);
    TOTAL total = IDENTITY;
    for (int k = first; k < last; ++k) {
        int at = (line + (P[9] != 0 ? P[1] - 1 - k : k)) * P[2] + inner;
#ifdef ALONG
        ITEM v = in0(at);
        if (P[9] != 0) v = v.wzyx;
        TOTAL a = COMBINE(total, v.x);
        TOTAL b = COMBINE(a, v.y);
        TOTAL c = COMBINE(b, v.z);
        TOTAL next = COMBINE(c, v.w);
#ifndef TOTALS
        ITEM running = P[10] != 0 ? ITEM(START(id, total), START(id, a), START(id, b), START(id, c))
                                  : ITEM(START(id, a), START(id, b), START(id, c), START(id, next));
        result[at] = P[9] != 0 ? running.wzyx : running;
#endif
#else
        TOTAL next = COMBINE(total, in0(at));
#ifndef TOTALS
        TOTAL running = P[10] != 0 ? total : next;
        result[at] = START(id, running);
#endif
#endif
        total = next;
    }
#ifdef TOTALS
    result[id] = total;
#endif
}
