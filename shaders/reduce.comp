// A reduction, with the element-wise chain before it. Each invocation combines every P[2]-th element of one output.
// P[0]: outputs, P[1]: elements of each, P[2]: invocations for each, P[3]: elements in all passes (for the mean),
// P[4]: where the results go, P[5]: the first element, where a pass takes a part of a long tensor.
// Generated before this: element(i), the i-th value of the input; outer(o) and inner(r), whose sum is that i.
#ifdef ARG
// Indices that a pass before has found: in the last input.
void main() {
    int id = invocation();
    if (id >= P[0] * P[2]) return;
    int o = id / P[2];
    int base = outer(o);
    int bestIndex = -1;
    VALUE best = VALUE(0);
    for (int k = id - o * P[2]; k < P[1]; k += P[2]) {
#ifdef CANDIDATES
        int r = CANDIDATES(o * P[1] + k);
        if (r < 0) continue;
#else
        int r = k;
#endif
        VALUE v = element(base + inner(r));
        if (NOT_A_NUMBER(v)) continue;
        if (bestIndex < 0 || BETTER(v, best) || (v == best && r < bestIndex)) {
            best = v;
            bestIndex = r;
        }
    }
    result[id] = FINAL != 0 ? max(bestIndex, 0) : bestIndex;
}
#else
void main() {
    int id = invocation();
    if (id >= P[0] * P[2]) return;
    int o = id / P[2];
    int base = outer(o);
    VALUE total = IDENTITY;
    const int block = 8;
#ifdef COMPENSATED
    // Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen", ZAMM 54 (1974): what rounding takes from
    // the sum of the blocks is kept, for the errors of a plain sum grow with its length.
    float lost = 0.0;
#endif
    for (int r = id - o * P[2]; r < P[1];) {
        VALUE part = IDENTITY;
        for (int i = 0; i < block && r < P[1]; ++i) {
            part = COMBINE(part, element(base + inner(P[5] + r)));
            r += P[2];
        }
#ifdef COMPENSATED
        PRECISE float next = total + part;
        PRECISE float rest = st_abs(total) >= st_abs(part) ? (total - next) + part : (part - next) + total;
        lost += rest;
        total = next;
#else
        total = COMBINE(total, part);
#endif
    }
#ifdef COMPENSATED
    if (st_isFinite(total)) total += lost;
#endif
    result[P[4] + id] = FINISH(total);
}
#endif
