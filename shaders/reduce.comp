// A reduction, with the element-wise chain before it. Each invocation combines every P[2]-th item of one output.
// P[0]: outputs, P[1]: items of each, P[2]: invocations for each (a divisor, with P[3] and P[4]), P[5]: elements in all passes (for
// the mean), P[6]: where the results go, P[7]: elements that are left where items are quads.
// Generated before this: outer(o) and inner(r), whose sum i is the position of an item, and `element(i)` or `quad(i)`, its value.
// WIDTH: 1: an item is an element; ALONG: four neighbouring elements of one output; ACROSS: those of four neighbouring outputs.
#define ALONG 4
#define ACROSS -4
#if WIDTH == 1
#define ITEM TOTAL
#define LOAD element
#else
#define ITEM TOTAL4
#define LOAD quad
#endif

#ifdef ARG
// `r` must come in ascending order from one call to the next, or as a candidate of an earlier pass.
void consider(VALUE v, int r, inout VALUE best, inout int bestIndex) {
    if (NOT_A_NUMBER(v)) return;
    if (bestIndex < 0 || BETTER(v, best) || (v == best && r < bestIndex)) {
        best = v;
        bestIndex = r;
    }
}
void main() {
    int id = invocation();
    if (id >= P[0] * P[2]) return;
    int o = quotient(id, 2);
    int base = outer(o);
    int index = -1;
    VALUE best = VALUE(0);
    int k = id - o * P[2];
    for (; k < P[1]; k += P[2]) {
#ifdef CANDIDATES
        int r = CANDIDATES(o * P[1] + k);
        if (r >= 0) consider(element(base + inner(r)), r, best, index);
#elif WIDTH == ALONG
        VALUE4 v = quad(base + inner(k));
        for (int j = 0; j < 4; ++j) consider(v[j], 4 * k + j, best, index);
#else
        consider(element(base + inner(k)), k, best, index);
#endif
    }
#if WIDTH == ALONG
    if (k == P[1] && P[7] > 0) {
        VALUE4 v = quad(base + inner(k));
        for (int j = 0; j < P[7]; ++j) consider(v[j], 4 * k + j, best, index);
    }
#endif
    result[id] = FINAL != 0 ? max(index, 0) : index;
}
#else

#if WIDTH == 1
TOTAL combined(TOTAL a, TOTAL b) { return COMBINE(a, b); }
#else
TOTAL4 combined(TOTAL4 a, TOTAL4 b) {
    return TOTAL4(COMBINE(a.x, b.x), COMBINE(a.y, b.y), COMBINE(a.z, b.z), COMBINE(a.w, b.w));
}
#endif
// An infinite total has lost nothing that counts.
float finished(float total, float lost) { return st_isFinite(total) ? total + lost : total; }

void main() {
    int id = invocation();
    if (id >= P[0] * P[2]) return;
    int o = quotient(id, 2);
    int base = outer(o);
    ITEM total = ITEM(IDENTITY);
    const int block = 8;
#ifdef COMPENSATED
    // What rounding takes from the sum of the blocks is kept, for the errors of a plain sum grow with its length. The error of each
    // addition is exact: Knuth, "The Art of Computer Programming" 2, 4.2.2, theorem B.
    ITEM lost = ITEM(0.0);
#endif
    int r = id - o * P[2];
    while (r < P[1]) {
        ITEM part = ITEM(IDENTITY);
        for (int i = 0; i < block && r < P[1]; ++i) {
            part = combined(part, LOAD(base + inner(r)));
            r += P[2];
        }
#ifdef COMPENSATED
        PRECISE ITEM next = total + part;
        PRECISE ITEM taken = next - total;
        PRECISE ITEM rest = (total - (next - taken)) + (part - taken);
        lost += rest;
        total = next;
#else
        total = combined(total, part);
#endif
    }
#if WIDTH == ALONG
    if (r == P[1] && P[7] > 0) {
        ITEM part = LOAD(base + inner(r));
        part = ITEM(part.x, P[7] > 1 ? part.y : IDENTITY, P[7] > 2 ? part.z : IDENTITY, IDENTITY);
        total = combined(total, part);
    }
#endif
#ifdef COMPENSATED
#if WIDTH == 1
    total = finished(total, lost);
#else
    for (int j = 0; j < 4; ++j) total[j] = finished(total[j], lost[j]);
#endif
#endif
#if WIDTH == ALONG
    TOTAL low = COMBINE(total.x, total.y), high = COMBINE(total.z, total.w);
    result[P[6] + id] = FINISH(COMBINE(low, high));
#else
    result[P[6] + id] = FINISH(total);
#endif
}
#endif
