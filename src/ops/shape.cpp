#include "stile/ops/shape.hpp"

#include <algorithm>
#include <numeric>

#include "ops/check.hpp"
#include "stile/ops/elementwise.hpp"

namespace stile {
namespace {

Tensor strided(const char* op, const Tensor& x, const Shape& shape, detail::prim::Strided what) {
    return ops::record(op, std::move(what), shape, x.dtype(), {x});
}

/// The same elements in another shape. A leaf stays a leaf.
Tensor alias(const char* op, const Tensor& x, const Shape& shape) {
    const detail::Node& node = *x.node();
    if (!node.isLeaf()) return ops::record(op, detail::prim::Alias{}, shape, x.dtype(), {x});
    auto leaf = std::make_shared<detail::Node>(node.primitive, op, shape, x.dtype(), node.home, std::vector<detail::NodePtr>{});
    leaf->host = node.host;
    return Tensor(std::move(leaf));
}

std::string listed(const std::vector<std::int64_t>& numbers) { return fmt::format("[{}]", fmt::join(numbers, ", ")); }

}  // namespace

Tensor reshape(const Tensor& x, const std::vector<std::int64_t>& extents) {
    std::vector<std::int64_t> whole = extents;
    const auto open = std::ranges::find(whole, -1);
    if (open != whole.end()) {
        if (std::ranges::count(whole, -1) > 1) ops::fail("reshape", "more than one -1 in {}", listed(extents));
        *open = 1;
        const std::int64_t rest = ops::shapeOf("reshape", whole).size();
        if (rest == 0 || x.size() % rest != 0) ops::fail("reshape", "{} to {}", toString(x.shape()), listed(extents));
        *open = x.size() / rest;
    }
    const Shape shape = ops::shapeOf("reshape", whole);
    if (shape.size() != x.size())
        ops::fail("reshape", "{} elements of {} to shape {}", x.size(), toString(x.shape()), toString(shape));
    return alias("reshape", x, shape);
}

Tensor expandDims(const Tensor& x, int axis) {
    const int at = axis < 0 ? axis + x.rank() + 1 : axis;
    if (at < 0 || at > x.rank()) ops::fail("expandDims", "axis {} is outside shape {}", axis, toString(x.shape()));
    std::vector<std::int64_t> extents = ops::extentsOf(x.shape());
    extents.insert(extents.begin() + at, 1);
    return alias("expandDims", x, ops::shapeOf("expandDims", extents));
}

Tensor squeeze(const Tensor& x, const Axes& axes) {
    const std::uint32_t bits = ops::axesOf("squeeze", x.shape(), axes);
    std::vector<std::int64_t> extents;
    for (int axis = 0; axis < x.rank(); ++axis) {
        const bool named = (bits >> static_cast<unsigned>(axis) & 1U) != 0;
        if (named && x.shape()[axis] == 1) continue;
        if (named && !axes.all()) ops::fail("squeeze", "axis {} of shape {} is not 1", axis, toString(x.shape()));
        extents.push_back(x.shape()[axis]);
    }
    return alias("squeeze", x, Shape(extents));
}

Tensor transpose(const Tensor& x, const std::vector<int>& permutation) {
    std::vector<int> order = permutation;
    if (order.empty()) {
        order.resize(static_cast<std::size_t>(x.rank()));
        std::iota(order.rbegin(), order.rend(), 0);
    }
    std::uint32_t seen = 0;
    for (int& axis : order) {
        axis = ops::axisOf("transpose", x.shape(), axis);
        seen |= 1U << static_cast<unsigned>(axis);
    }
    if (std::cmp_not_equal(order.size(), x.rank()) || seen + 1 != 1U << static_cast<unsigned>(x.rank())) {
        ops::fail("transpose", "[{}] is no permutation of the axes of {}", fmt::join(permutation, ", "), toString(x.shape()));
    }
    const std::vector<std::int64_t> strides = ops::stridesOf(x.shape());
    detail::prim::Strided what;
    for (const int axis : order) {
        what.extents.push_back(x.shape()[axis]);
        what.strides.push_back(strides[static_cast<std::size_t>(axis)]);
    }
    const Shape shape(what.extents);
    return strided("transpose", x, shape, std::move(what));
}

Tensor slice(const Tensor& x, const std::vector<std::int64_t>& begin, const std::vector<std::int64_t>& size) {
    const auto rank = static_cast<std::size_t>(x.rank());
    if (begin.size() > rank || size.size() > rank) {
        ops::fail("slice", "begin {}, size {} of shape {}", listed(begin), listed(size), toString(x.shape()));
    }
    detail::prim::Strided what{.extents = {}, .strides = ops::stridesOf(x.shape())};
    for (std::size_t i = 0; i < rank; ++i) {
        const std::int64_t extent = x.shape()[static_cast<int>(i)];
        const std::int64_t from = i < begin.size() ? begin[i] : 0;
        const std::int64_t count = i < size.size() && size[i] != -1 ? size[i] : extent - from;
        if (from < 0 || from > extent || count < 0 || count > extent - from) {
            ops::fail("slice", "begin {}, size {} reach outside shape {}", listed(begin), listed(size), toString(x.shape()));
        }
        what.extents.push_back(count);
        what.offset += from * what.strides[i];
    }
    const Shape shape(what.extents);
    return strided("slice", x, shape, std::move(what));
}

Tensor reverse(const Tensor& x, const Axes& axes) {
    const std::uint32_t bits = ops::axesOf("reverse", x.shape(), axes);
    detail::prim::Strided what{.extents = ops::extentsOf(x.shape()), .strides = ops::stridesOf(x.shape())};
    for (std::size_t i = 0; i < what.strides.size(); ++i) {
        if ((bits >> i & 1U) == 0) continue;
        what.offset += (what.extents[i] - 1) * what.strides[i];
        what.strides[i] = -what.strides[i];
    }
    return strided("reverse", x, x.shape(), std::move(what));
}

Tensor tile(const Tensor& x, const std::vector<std::int64_t>& repeats) {
    if (std::cmp_not_equal(repeats.size(), x.rank())) {
        ops::fail("tile", "{} repeats for shape {}", listed(repeats), toString(x.shape()));
    }
    const std::vector<std::int64_t> strides = ops::stridesOf(x.shape());
    std::vector<std::int64_t> extents;
    detail::prim::Strided what;
    for (std::size_t i = 0; i < repeats.size(); ++i) {
        if (repeats[i] < 0) ops::fail("tile", "negative repeats in {}", listed(repeats));
        const std::int64_t extent = x.shape()[static_cast<int>(i)];
        // A count beyond int32 is as good as the greatest: no shape takes it, and the product does not overflow.
        extents.push_back(extent * std::min(repeats[i], ops::beyondInt32));
        what.extents.insert(what.extents.end(), {repeats[i], extent});
        what.strides.insert(what.strides.end(), {0, strides[i]});
    }
    return strided("tile", x, ops::shapeOf("tile", extents), std::move(what));
}

Tensor broadcastTo(const Tensor& x, const Shape& shape) {
    const std::vector<std::int64_t> strides = ops::stridesOf(x.shape());
    detail::prim::Strided what{.extents = ops::extentsOf(shape),
                               .strides = std::vector<std::int64_t>(static_cast<std::size_t>(shape.rank()), 0)};
    const int added = shape.rank() - x.rank();
    if (added < 0) ops::fail("broadcastTo", "{} to {}", toString(x.shape()), toString(shape));
    for (int axis = 0; axis < x.rank(); ++axis) {
        const std::int64_t from = x.shape()[axis], to = shape[axis + added];
        if (from != to && from != 1) ops::fail("broadcastTo", "{} to {}", toString(x.shape()), toString(shape));
        if (from == to) what.strides[static_cast<std::size_t>(axis + added)] = strides[static_cast<std::size_t>(axis)];
    }
    return strided("broadcastTo", x, shape, std::move(what));
}

Tensor pad(const Tensor& x, const std::vector<std::pair<std::int64_t, std::int64_t>>& paddings, double value) {
    if (std::cmp_not_equal(paddings.size(), x.rank()))
        ops::fail("pad", "{} pairs for shape {}", paddings.size(), toString(x.shape()));
    detail::prim::Pad what{.before = {}, .bits = ops::bitsOf(value, x.dtype())};
    std::vector<std::int64_t> extents;
    for (std::size_t i = 0; i < paddings.size(); ++i) {
        const auto [before, after] = paddings[i];
        if (before < 0 || after < 0) ops::fail("pad", "({}, {}) is negative, shape {}", before, after, toString(x.shape()));
        what.before.push_back(before);
        extents.push_back(std::min(before, ops::beyondInt32) + x.shape()[static_cast<int>(i)] +
                          std::min(after, ops::beyondInt32));
    }
    return ops::record("pad", std::move(what), ops::shapeOf("pad", extents), x.dtype(), {x});
}

Tensor concat(const std::vector<Tensor>& tensors, int axis) {
    if (tensors.empty()) ops::fail("concat", "no tensors");
    const int at = ops::axisOf("concat", tensors.front().shape(), axis);
    std::vector<std::int64_t> extents = ops::extentsOf(tensors.front().shape());
    DType dtype = tensors.front().dtype();
    extents[static_cast<std::size_t>(at)] = 0;
    for (const Tensor& x : tensors) {
        bool fits = x.rank() == tensors.front().rank();
        for (int i = 0; fits && i < x.rank(); ++i) fits = i == at || x.shape()[i] == tensors.front().shape()[i];
        if (!fits) ops::fail("concat", "{} and {} along axis {}", toString(tensors.front().shape()), toString(x.shape()), axis);
        extents[static_cast<std::size_t>(at)] += x.shape()[at];
        dtype = promote(dtype, x.dtype());
    }
    if (tensors.size() == 1) return tensors.front();
    std::vector<Tensor> inputs;
    inputs.reserve(tensors.size());
    for (const Tensor& x : tensors) inputs.push_back(cast(x, dtype));
    return ops::record("concat", detail::prim::Concat{at}, ops::shapeOf("concat", extents), dtype, inputs);
}

Tensor stack(const std::vector<Tensor>& tensors, int axis) {
    if (tensors.empty()) ops::fail("stack", "no tensors");
    const int rank = tensors.front().rank(), at = axis < 0 ? axis + rank + 1 : axis;
    if (at < 0 || at > rank)
        ops::fail("stack", "axis {} is outside the result of shapes {}", axis, toString(tensors.front().shape()));
    std::vector<Tensor> expanded;
    expanded.reserve(tensors.size());
    for (const Tensor& x : tensors) {
        if (x.shape() != tensors.front().shape()) {
            ops::fail("stack", "shapes {} and {} differ", toString(tensors.front().shape()), toString(x.shape()));
        }
        expanded.push_back(expandDims(x, at));
    }
    return concat(expanded, at);
}

std::vector<Tensor> split(const Tensor& x, const std::vector<std::int64_t>& sizes, int axis) {
    const int at = ops::axisOf("split", x.shape(), axis);
    std::vector<std::int64_t> whole = sizes;
    const auto open = std::ranges::find(whole, -1);
    if (open != whole.end()) {
        *open = 0;
        *open = x.shape()[at] - std::accumulate(whole.begin(), whole.end(), std::int64_t{0});
    }
    const bool negative = std::ranges::any_of(whole, [](std::int64_t size) { return size < 0; });
    if (negative || std::accumulate(whole.begin(), whole.end(), std::int64_t{0}) != x.shape()[at]) {
        ops::fail("split", "sizes {} along axis {} of shape {}", listed(sizes), axis, toString(x.shape()));
    }
    std::vector<Tensor> parts;
    std::vector<std::int64_t> begin(static_cast<std::size_t>(x.rank()), 0), size(static_cast<std::size_t>(x.rank()), -1);
    for (const std::int64_t extent : whole) {
        size[static_cast<std::size_t>(at)] = extent;
        parts.push_back(slice(x, begin, size));
        begin[static_cast<std::size_t>(at)] += extent;
    }
    return parts;
}

std::vector<Tensor> split(const Tensor& x, int count, int axis) {
    const int at = ops::axisOf("split", x.shape(), axis);
    if (count < 1 || x.shape()[at] % count != 0) {
        ops::fail("split", "axis {} of shape {} into {} equal parts", axis, toString(x.shape()), count);
    }
    return split(x, std::vector<std::int64_t>(static_cast<std::size_t>(count), x.shape()[at] / count), axis);
}

std::vector<Tensor> unstack(const Tensor& x, int axis) {
    const int at = ops::axisOf("unstack", x.shape(), axis);
    std::vector<Tensor> parts = split(x, std::vector<std::int64_t>(static_cast<std::size_t>(x.shape()[at]), 1), at);
    for (Tensor& part : parts) part = squeeze(part, at);
    return parts;
}

}  // namespace stile
