// x [batch, outer, extent, inner] by indices [batch, picks]; 0 where an index is outside. P[0]: invocations.
#ifdef PICKS
// Single elements of a line, four of them an invocation. P[1]: extent.
int picked(int index) { return index >= 0 && index < P[1] ? in0(index) : 0; }
void main() {
    int q = invocation();
    if (q >= P[0]) return;
    ivec4 index = in1(q);
    result[q] = ivec4(picked(index.x), picked(index.y), picked(index.z), picked(index.w));
}
#else
// Rows of inner elements, or quads, STRETCH of them an invocation. P[1]: extent; P[2], P[5], P[8]: stretches of a row, picks, outer
// (divisors).
void main() {
    int id = invocation();
    if (id >= P[0]) return;
    int rest = quotient(id, 2);
    int stretch = id - rest * P[2];
    int line = quotient(rest, 5);
    int batch = quotient(line, 8);
    int index = in1(batch * P[5] + rest - line * P[5]);
    bool inside = index >= 0 && index < P[1];
    int from = ((line * P[1] + index) * P[2] + stretch) * STRETCH;
    for (int j = 0; j < STRETCH; ++j) result[id * STRETCH + j] = inside ? in0(from + j) : ITEM(0);
}
#endif
