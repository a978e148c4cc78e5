#include "stile/ops/reduce.hpp"

#include "ops/check.hpp"
#include "stile/ops/complex.hpp"
#include "stile/ops/elementwise.hpp"
#include "stile/ops/shape.hpp"

namespace stile {
namespace {

using detail::prim::Reduction;

Tensor reduce(const char* op, Reduction kind, const Tensor& x, std::uint32_t axes, bool keepDims, DType dtype) {
    std::vector<std::int64_t> extents;
    for (int axis = 0; axis < x.rank(); ++axis) {
        const bool reduced = (axes >> static_cast<unsigned>(axis) & 1U) != 0;
        if (!reduced || keepDims) extents.push_back(reduced ? 1 : x.shape()[axis]);
    }
    return ops::record(op, detail::prim::Reduce{kind, axes}, Shape(extents), dtype, {x});
}

/// bool counts as int32.
Tensor numeric(const char* op, Reduction kind, const Tensor& x, const Axes& axes, bool keepDims) {
    if (x.dtype() == DType::complex64 && (kind == Reduction::sum || kind == Reduction::mean)) {
        return complex(numeric(op, kind, real(x), axes, keepDims), numeric(op, kind, imag(x), axes, keepDims));
    }
    const Tensor number = x.dtype() == DType::boolean ? cast(x, DType::int32) : x;
    return reduce(op, kind, number, ops::axesOf(op, x.shape(), axes), keepDims, number.dtype());
}

Tensor logical(const char* op, Reduction kind, const Tensor& x, const Axes& axes, bool keepDims) {
    ops::expect(op, "x", x, DType::boolean);
    return reduce(op, kind, x, ops::axesOf(op, x.shape(), axes), keepDims, DType::boolean);
}

Tensor arg(const char* op, Reduction kind, const Tensor& x, int axis) {
    if (x.rank() == 0 && (axis == 0 || axis == -1)) return Tensor(0);  // of the one element
    const int at = ops::axisOf(op, x.shape(), axis);
    if (x.shape()[at] == 0) ops::fail(op, "axis {} of shape {} has no elements", axis, toString(x.shape()));
    return reduce(op, kind, x, 1U << static_cast<unsigned>(at), false, DType::int32);
}

}  // namespace

Tensor sum(const Tensor& x, const Axes& axes, bool keepDims) { return numeric("sum", Reduction::sum, x, axes, keepDims); }
Tensor prod(const Tensor& x, const Axes& axes, bool keepDims) { return numeric("prod", Reduction::prod, x, axes, keepDims); }
Tensor max(const Tensor& x, const Axes& axes, bool keepDims) { return numeric("max", Reduction::max, x, axes, keepDims); }
Tensor min(const Tensor& x, const Axes& axes, bool keepDims) { return numeric("min", Reduction::min, x, axes, keepDims); }
Tensor mean(const Tensor& x, const Axes& axes, bool keepDims) {
    const Tensor number = x.dtype() == DType::complex64 ? x : cast(x, DType::float32);
    return numeric("mean", Reduction::mean, number, axes, keepDims);
}
Tensor all(const Tensor& x, const Axes& axes, bool keepDims) { return logical("all", Reduction::all, x, axes, keepDims); }
Tensor any(const Tensor& x, const Axes& axes, bool keepDims) { return logical("any", Reduction::any, x, axes, keepDims); }
Tensor logSumExp(const Tensor& x, const Axes& axes, bool keepDims) {
    const Axes reduced(ops::listOf(ops::axesOf("logSumExp", x.shape(), axes)));
    if (reduced.all()) return cast(x, DType::float32);  // a scalar
    const Tensor real = cast(x, DType::float32);
    // Shifted by the largest, so that no exponential overflows; not by an infinity, from which nothing can be subtracted.
    const Tensor largest = max(real, reduced, true);
    const Tensor shift = where(isFinite(largest), largest, 0.0F);
    const Tensor result = log(sum(exp(real - shift), reduced, true)) + shift;
    return keepDims ? result : squeeze(result, reduced);
}
Tensor argMax(const Tensor& x, int axis) { return arg("argMax", Reduction::argMax, x, axis); }
Tensor argMin(const Tensor& x, int axis) { return arg("argMin", Reduction::argMin, x, axis); }

}  // namespace stile
