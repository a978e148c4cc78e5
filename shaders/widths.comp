// Matrices copied into matrices of other sizes: zeros behind rows and columns, or what stands there left out. Four neighbouring elements
// of the result an invocation. P[0]: quads; P[1], P[2]: rows and columns of the result; P[3], P[4]: those of the input.
void main() {
    int id = invocation();
    if (id >= P[0]) return;
    int line = id * 4 / P[2], column = id * 4 - line * P[2];
    int matrix = line / P[1], row = line - matrix * P[1];
    VEC4 value;
    for (int j = 0; j < 4; ++j) {
        bool isInside = row < P[3] && column < P[4];
        SCALAR x = in0(isInside ? (matrix * P[3] + row) * P[4] + column : 0);
        value[j] = isInside ? x : SCALAR(0);
        column += 1;
        if (column == P[2]) {
            column = 0;
            row += 1;
        }
        if (row == P[1]) {
            row = 0;
            matrix += 1;
        }
    }
    result[id] = value;
}
