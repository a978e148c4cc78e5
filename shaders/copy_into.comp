// Copies a whole tensor into a part of another: rows of P[1] elements (or quads), P[4] apart, from P[5] on. P[0]: elements (or quads);
// P[1] is a divisor.
void main() {
    int i = invocation();
    if (i >= P[0]) return;
    int line = quotient(i, 1);
    result[line * P[4] + P[5] + (i - line * P[1])] = in0(i);
}
