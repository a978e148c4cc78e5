// Copies elements from where they lie in another order, four neighbouring ones of the result an invocation. P[0]: invocations,
// P[1]: where the first element lies. Generated before this: `walk`, how much further that of a position lies.
#define QUADS 0
#define STEPS 1
#define EACH 2
#define BLOCKS 3
#if MODE == QUADS
// Four neighbours of the result are neighbours in the source; positions count quads.
void main() {
    int q = invocation();
    if (q < P[0]) result[q] = in0(P[1] + walk(q));
}
#elif MODE == STEPS
// They lie P[2] apart.
void main() {
    int q = invocation();
    if (q >= P[0]) return;
    int at = P[1] + walk(q);
    result[q] = ivec4(in0(at), in0(at + P[2]), in0(at + 2 * P[2]), in0(at + 3 * P[2]));
}
#elif MODE == EACH
// Anywhere. P[2]: the last element; the last quad may reach past it.
int source(int i) { return in0(P[1] + walk(min(i, P[2]))); }
void main() {
    int q = invocation();
    if (q < P[0]) result[q] = ivec4(source(4 * q), source(4 * q + 1), source(4 * q + 2), source(4 * q + 3));
}
#elif MODE == BLOCKS
// The source's neighbours lie along another axis of the result than the result's own: blocks of four by four elements are read and
// written in quads. Blocks are taken in tiles of 64, so that lines of a cache are used while they are there. All strides count
// quads. P[2], P[3]: blocks along the result's neighbours and along the source's; P[4]: the logarithm of the width of a tile along
// the source's; P[5], P[8]: tiles along the source's and along the result's neighbours (divisors); P[11]: the source's stride along the
// result's neighbours; P[12]: the result's stride along the source's. `target`: as walk, in the result.
void main() {
    int id = invocation();
    if (id >= P[0]) return;
    int tile = id >> 6, within = id & 63;
    int rest = quotient(tile, 5);
    int s = ((tile - rest * P[5]) << P[4]) + (within & ((1 << P[4]) - 1));
    int outer = quotient(rest, 8);
    int r = ((rest - outer * P[8]) << (6 - P[4])) + (within >> P[4]);
    if (r >= P[2] || s >= P[3]) return;
    int from = P[1] + walk(outer) + 4 * r * P[11] + s;
    int to = target(outer) + 4 * s * P[12] + r;
    ivec4 a = in0(from), b = in0(from + P[11]), c = in0(from + 2 * P[11]), d = in0(from + 3 * P[11]);
    result[to] = ivec4(a.x, b.x, c.x, d.x);
    result[to + P[12]] = ivec4(a.y, b.y, c.y, d.y);
    result[to + 2 * P[12]] = ivec4(a.z, b.z, c.z, d.z);
    result[to + 3 * P[12]] = ivec4(a.w, b.w, c.w, d.w);
}
#endif
