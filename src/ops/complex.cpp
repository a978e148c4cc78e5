#include "stile/ops/complex.hpp"

#include "ops/check.hpp"
#include "stile/create.hpp"
#include "stile/ops/elementwise.hpp"
#include "stile/ops/shape.hpp"

namespace stile {
namespace {

/// Every second float, beginning with this one.
Tensor part(const char* op, const Tensor& x, std::int64_t first) {
    return ops::record(op, detail::prim::Strided{.extents = {x.size()}, .strides = {2}, .offset = first}, x.shape(),
                       DType::float32, {x});
}

}  // namespace

Tensor complex(const Tensor& real, const Tensor& imag) {
    ops::expect("complex", "real", real, DType::float32);
    ops::expect("complex", "imag", imag, DType::float32);
    if (real.shape() != imag.shape()) ops::fail("complex", "real {}, imag {}", toString(real.shape()), toString(imag.shape()));
    const std::vector<std::int64_t> column{real.size(), 1};
    const Tensor pairs = ops::record("complex", detail::prim::Concat{1}, Shape{real.size(), 2}, DType::float32,
                                     {reshape(real, column), reshape(imag, column)});
    return ops::record("complex", detail::prim::Alias{}, real.shape(), DType::complex64, {pairs});
}

Tensor real(const Tensor& x) { return x.dtype() == DType::complex64 ? part("real", x, 0) : cast(x, DType::float32); }
Tensor imag(const Tensor& x) { return x.dtype() == DType::complex64 ? part("imag", x, 1) : zeros(x.shape()); }

}  // namespace stile
