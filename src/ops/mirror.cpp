#include "ops/check.hpp"
#include "stile/ops/shape.hpp"

namespace stile {
namespace {

/// The positions from, from - 1, … along an axis.
Tensor backwards(const Tensor& x, std::size_t axis, std::int64_t from, std::int64_t count) {
    detail::prim::Strided what{.extents = ops::extentsOf(x.shape()), .strides = ops::stridesOf(x.shape())};
    what.extents[axis] = count;
    what.offset = from * what.strides[axis];
    what.strides[axis] = -what.strides[axis];
    const Shape shape(what.extents);
    return ops::record("mirrorPad", std::move(what), shape, x.dtype(), {x});
}

}  // namespace

Tensor mirrorPad(const Tensor& x, const std::vector<std::pair<std::int64_t, std::int64_t>>& paddings, MirrorMode mode) {
    if (x.rank() == 0) ops::fail("mirrorPad", "a scalar has no mirror image");
    if (std::cmp_not_equal(paddings.size(), x.rank())) {
        ops::fail("mirrorPad", "{} pairs for shape {}", paddings.size(), toString(x.shape()));
    }
    const std::int64_t edge = mode == MirrorMode::reflect ? 1 : 0;
    Tensor result = x;
    for (std::size_t axis = 0; axis < paddings.size(); ++axis) {
        const auto [before, after] = paddings[axis];
        const std::int64_t extent = x.shape()[static_cast<int>(axis)];
        const std::int64_t most = std::max<std::int64_t>(extent - edge, 0);
        if (before < 0 || after < 0 || before > most || after > most) {
            ops::fail("mirrorPad", "({}, {}) along axis {} of shape {}: at most {}", before, after, axis, toString(x.shape()),
                      most);
        }
        std::vector<Tensor> parts;
        if (before > 0) parts.push_back(backwards(result, axis, before - 1 + edge, before));
        parts.push_back(result);
        if (after > 0) parts.push_back(backwards(result, axis, extent - 1 - edge, after));
        result = concat(parts, static_cast<int>(axis));
    }
    return result;
}

}  // namespace stile
