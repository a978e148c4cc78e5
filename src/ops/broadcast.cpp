#include "ops/check.hpp"
#include "stile/ops/elementwise.hpp"
#include "stile/ops/shape.hpp"

// What is said about shapes, and made from them.
namespace stile {
namespace {

std::vector<std::int32_t> known(const Tensor& x) {
    const auto values = detail::hostValues(*x.node());
    if (!values) return {};
    std::vector<std::int32_t> out(static_cast<std::size_t>(x.size()));
    if (!out.empty()) std::memcpy(out.data(), values->bytes.data(), values->bytes.size());
    return out;
}

}  // namespace

Tensor ensureShape(const Tensor& x, const std::vector<std::int64_t>& extents) {
    bool fits = std::cmp_equal(extents.size(), x.rank());
    for (std::size_t i = 0; fits && i < extents.size(); ++i) {
        fits = extents[i] == -1 || extents[i] == x.shape()[static_cast<int>(i)];
    }
    if (!fits) ops::fail("ensureShape", "shape {} is not [{}]", toString(x.shape()), fmt::join(extents, ", "));
    return x;
}

Tensor broadcastArgs(const Tensor& a, const Tensor& b) {
    constexpr const char* op = "broadcastArgs";
    for (const Tensor* x : {&a, &b}) {
        ops::expect(op, "shape", *x, DType::int32);
        if (x->rank() != 1) ops::fail(op, "{} is not of rank 1", toString(x->shape()));
    }
    const std::vector<std::int32_t> extentsA = known(a), extentsB = known(b);
    for (auto i = extentsA.rbegin(), j = extentsB.rbegin(); i != extentsA.rend() && j != extentsB.rend(); ++i, ++j) {
        if (*i == *j || *i == 1 || *j == 1) continue;
        ops::fail(op, "[{}] and [{}] do not broadcast", fmt::join(extentsA, ", "), fmt::join(extentsB, ", "));
    }
    const std::int64_t rank = std::max(a.size(), b.size());
    const Tensor left = pad(a, {{rank - a.size(), 0}}, 1), right = pad(b, {{rank - b.size(), 0}}, 1);
    return where(left == 1, right, where(logicalOr(right == 1, left == right), left, -1));
}

std::vector<Tensor> meshgrid(const std::vector<Tensor>& coordinates, Indexing indexing) {
    std::vector<std::int64_t> extents;
    for (const Tensor& x : coordinates) extents.push_back(x.size());
    // As the columns of a matrix come before its rows in (x, y).
    const auto axisOf = [&](std::size_t i) { return indexing == Indexing::xy && extents.size() > 1 && i < 2 ? 1 - i : i; };
    if (indexing == Indexing::xy && extents.size() > 1) std::swap(extents[0], extents[1]);
    const Shape shape = ops::shapeOf("meshgrid", extents);
    std::vector<Tensor> grid;
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
        std::vector<std::int64_t> along(extents.size(), 1);
        along[axisOf(i)] = coordinates[i].size();
        grid.push_back(broadcastTo(reshape(coordinates[i], along), shape));
    }
    return grid;
}

}  // namespace stile
