// Elements of two tensors in turns. P[0]: invocations, P[1]: the last element of each.
void main() {
    int q = invocation();
    if (q >= P[0]) return;
    int first = 2 * q, second = min(2 * q + 1, P[1]);
    result[q] = ivec4(in0(first), in1(first), in0(second), in1(second));
}
