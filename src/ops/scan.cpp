#include "stile/ops/scan.hpp"

#include "ops/check.hpp"

namespace stile {
namespace {

Tensor scan(const char* op, const Tensor& x, int axis, const ScanOptions& options, bool product) {
    const int at = ops::axisOf(op, x.shape(), axis);
    detail::prim::Scan what{.product = product,
                            .exclusive = options.exclusive,
                            .reverse = options.reverse,
                            .outer = 1,
                            .extent = x.shape()[at],
                            .inner = 1};
    for (int i = 0; i < at; ++i) what.outer *= x.shape()[i];
    for (int i = at + 1; i < x.rank(); ++i) what.inner *= x.shape()[i];
    return ops::record(op, what, x.shape(), promote(x.dtype(), DType::int32), {x});
}

}  // namespace

Tensor cumsum(const Tensor& x, int axis, const ScanOptions& options) { return scan("cumsum", x, axis, options, false); }
Tensor cumprod(const Tensor& x, int axis, const ScanOptions& options) { return scan("cumprod", x, axis, options, true); }

}  // namespace stile
