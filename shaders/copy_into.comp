// Copies a whole tensor into a part of another: rows of P[1] elements, P[2] apart, from P[3] on. P[0]: elements.
void main() {
    int i = invocation();
    if (i >= P[0]) return;
    int line = i / P[1];
    result[line * P[2] + P[3] + (i - line * P[1])] = in0(i);
}
