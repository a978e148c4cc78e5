// How many elements of an ascending row lie below a value (or at it too, with P[3]). P[0]: values, P[1]: elements of a row, P[2]: values
// of a row.
void main() {
    int id = invocation();
    if (id >= P[0]) return;
    int row = id / P[2] * P[1];
    VALUE value = in1(id);
    int low = 0;
    int high = P[1];
    while (low < high) {
        int middle = low + (high - low) / 2;
        VALUE at = in0(row + middle);
        if (P[3] != 0 ? at <= value : at < value) low = middle + 1; else high = middle;
    }
    result[id] = low;
}
