// Rows of updates put at rows of the result. in0: the row of each. P[0]: invocations, P[1]: elements of a row, P[2]: rows of the result,
// P[3]: 1, or 0 if one element stands for all updates.
#ifdef WINNER
// The number of the last update of each row.
void main() {
    int id = invocation();
    if (id >= P[0]) return;
    int row = in0(id);
    if (row >= 0 && row < P[2]) atomicMax(result[row], id);
}
#else
void main() {
    int id = invocation();
    if (id >= P[0]) return;
    int update = id / P[1];
    int row = in0(update);
    if (row < 0 || row >= P[2]) return;
    int at = row * P[1] + id - update * P[1];
#ifdef LAST
    if (in2(row) == update) result[at] = in1(id * P[3]);
#else
    COMBINE(result[at], in1(id * P[3]));
#endif
}
#endif
