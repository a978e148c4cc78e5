#include "stile/ops/matmul.hpp"

#include "ops/check.hpp"
#include "stile/ops/complex.hpp"
#include "stile/ops/elementwise.hpp"
#include "stile/ops/shape.hpp"

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

Tensor dot(const Tensor& a, const Tensor& b) {
    const auto shapes = [&] { return fmt::format("a {} and b {}", toString(a.shape()), toString(b.shape())); };
    if (a.rank() < 1 || a.rank() > 2 || b.rank() < 1 || b.rank() > 2)
        ops::fail("dot", "ranks other than 1 and 2: {}", shapes());
    if (a.shape()[-1] != b.shape()[0]) {
        ops::fail("dot", "inner extents {} and {} differ: {}", a.shape()[-1], b.shape()[0], shapes());
    }
    const Tensor product = matMul(a.rank() == 1 ? expandDims(a, 0) : a, b.rank() == 1 ? expandDims(b, 1) : b);
    std::vector<std::int64_t> extents;
    if (a.rank() == 2) extents.push_back(a.shape()[0]);
    if (b.rank() == 2) extents.push_back(b.shape()[1]);
    return reshape(product, extents);
}

Tensor outerProduct(const Tensor& a, const Tensor& b) {
    if (a.rank() != 1 || b.rank() != 1) {
        ops::fail("outerProduct", "a {} and b {} are not both of rank 1", toString(a.shape()), toString(b.shape()));
    }
    return mul(expandDims(a, 1), expandDims(b, 0));
}

}  // namespace stile
