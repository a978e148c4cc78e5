// Copies elements, or writes a constant outside the input; four neighbouring ones an invocation. P[0]: invocations, P[1]: the constant,
// P[2]: the last element. `source` (generated) gives -1 outside.
#ifdef WIDE
// Four neighbours of the result are neighbours in the source, or all outside; positions count quads.
void main() {
    int q = invocation();
    if (q >= P[0]) return;
    int from = source(q);
    result[q] = from >= 0 ? in0(from) : ivec4(P[1]);
}
#else
int element(int i) {
    int from = source(min(i, P[2]));
    return from >= 0 ? in0(from) : P[1];
}
void main() {
    int q = invocation();
    if (q < P[0]) result[q] = ivec4(element(4 * q), element(4 * q + 1), element(4 * q + 2), element(4 * q + 3));
}
#endif
