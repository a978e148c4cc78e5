#include "stile/ops/matmul.hpp"

#include "ops/check.hpp"
#include "stile/ops/complex.hpp"
#include "stile/ops/elementwise.hpp"

namespace stile {

Tensor matMul(const Tensor& a, const Tensor& b, bool transposeA, bool transposeB) {
    constexpr const char* op = "matMul";
    const auto shapes = [&] {
        return fmt::format("a {}{} and b {}{}", toString(a.shape()), transposeA ? " transposed" : "", toString(b.shape()),
                           transposeB ? " transposed" : "");
    };
    if (a.rank() < 2 || b.rank() < 2) ops::fail(op, "rank below 2: {}", shapes());
    const DType dtype = promote(a.dtype(), b.dtype());
    if (dtype == DType::boolean) throw Error(errc::wrong_dtype, fmt::format("{}: bool operands: {}", op, shapes()));
    const std::int64_t m = a.shape()[transposeA ? -1 : -2], k = a.shape()[transposeA ? -2 : -1];
    const std::int64_t inner = b.shape()[transposeB ? -1 : -2], n = b.shape()[transposeB ? -2 : -1];
    if (k != inner) ops::fail(op, "inner extents {} and {} differ: {}", k, inner, shapes());
    if (dtype == DType::complex64) {
        const auto product = [&](Tensor (*x)(const Tensor&), Tensor (*y)(const Tensor&)) {
            return matMul(x(a), y(b), transposeA, transposeB);
        };
        return complex(product(real, real) - product(imag, imag), product(real, imag) + product(imag, real));
    }
    std::vector<std::int64_t> extents;
    try {
        const Shape batch = broadcastShapes(Shape(std::span(a.shape().begin(), a.shape().end() - 2)),
                                            Shape(std::span(b.shape().begin(), b.shape().end() - 2)));
        extents.assign(batch.begin(), batch.end());
    } catch (const Error&) {
        ops::fail(op, "leading axes do not broadcast: {}", shapes());
    }
    extents.push_back(m);
    extents.push_back(n);
    return ops::record(op, detail::prim::MatMul{transposeA, transposeB}, ops::shapeOf(op, extents), dtype,
                       {cast(a, dtype), cast(b, dtype)});
}

}  // namespace stile
