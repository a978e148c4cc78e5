#include "host/elements.hpp"
#include "host/host.hpp"
#include "host/numbers.hpp"

namespace stile::host {
namespace {

/// A batch of matrices as factors: where each starts, and the distances between rows and columns.
struct Factor {
    const Operand& x;
    std::int64_t rowStride, columnStride;

    Factor(const Operand& operand, bool transposed)
        : x(operand), rowStride(transposed ? 1 : operand.shape[-1]), columnStride(transposed ? operand.shape[-1] : 1) {}

    /// Of the matrix for a batch of the result, whose leading axes may be longer.
    [[nodiscard]] std::int64_t start(const Shape& result, std::int64_t batch) const {
        std::int64_t at = 0, stride = x.shape[-1] * x.shape[-2];
        for (int axis = 3; axis <= x.shape.rank(); ++axis) {
            if (x.shape[-axis] != 1) at += batch % result[-axis] * stride;
            batch /= result[-axis];
            stride *= x.shape[-axis];
        }
        return at;
    }
};

}  // namespace

void run(const prim::MatMul& what, Operands in, const Operand& out) {
    const Factor a(in[0], what.transposeA), b(in[1], what.transposeB);
    const std::int64_t m = out.shape[-2], n = out.shape[-1], inner = in[0].shape[what.transposeA ? -2 : -1];
    for (std::int64_t i = 0; i < out.shape.size(); ++i) {
        const std::int64_t column = i % n, row = i / n % m, batch = i / n / m;
        std::int64_t left = a.start(out.shape, batch) + row * a.rowStride;
        std::int64_t right = b.start(out.shape, batch) + column * b.columnStride;
        double real = 0;
        Int integer = 0;
        for (std::int64_t k = 0; k < inner; ++k, left += a.columnStride, right += b.rowStride) {
            if (out.dtype == DType::float32) {
                real += static_cast<double>(get<float>(in[0].data, left)) * static_cast<double>(get<float>(in[1].data, right));
            } else {
                integer = added(integer, multiplied(get<Int>(in[0].data, left), get<Int>(in[1].data, right)));
            }
        }
        out.dtype == DType::float32 ? put(out.data, i, static_cast<float>(real)) : put(out.data, i, integer);
    }
}

}  // namespace stile::host
