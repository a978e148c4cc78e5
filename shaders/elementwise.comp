// A fused chain of element-wise operations, four neighbouring elements an invocation. P[0]: quads. Generated before this:
// `quad`, which loads the operands of one quad and computes it.
void main() {
    int q = invocation();
    if (q < P[0]) result[q] = quad(q);
}
