// Copies elements, or writes a constant outside the input. P[0]: elements, P[1]: the constant. `source` (generated) gives -1 outside.
void main() {
    int i = invocation();
    if (i >= P[0]) return;
    int from = source(i);
    result[i] = from >= 0 ? in0(from) : P[1];
}
