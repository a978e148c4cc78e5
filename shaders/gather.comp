// x [batch, outer, extent, inner] by indices [batch, picks]. P[0]: elements; P[1…4]: outer, extent, inner, picks.
void main() {
    int i = invocation();
    if (i >= P[0]) return;
    int inner = i % P[3];
    int rest = i / P[3];
    int pick = rest % P[4];
    rest /= P[4];
    int batch = rest / P[1];
    int index = in1(batch * P[4] + pick);
    result[i] = index >= 0 && index < P[2] ? in0((rest * P[2] + index) * P[3] + inner) : 0;
}
