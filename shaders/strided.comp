// Copies elements from where `source` (generated) says. P[0]: elements.
void main() {
    int i = invocation();
    if (i < P[0]) result[i] = in0(source(i));
}
