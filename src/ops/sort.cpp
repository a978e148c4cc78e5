#include "stile/ops/sort.hpp"

#include "ops/check.hpp"
#include "stile/create.hpp"
#include "stile/ops/elementwise.hpp"
#include "stile/ops/index.hpp"
#include "stile/ops/shape.hpp"

namespace stile {
namespace {

/// The positions of the first `kept` along the last axis.
Tensor sorted(const char* op, const Tensor& x, std::int64_t kept, bool descending) {
    std::vector<std::int64_t> extents = ops::extentsOf(x.shape());
    const std::int64_t extent = extents.back();
    extents.back() = kept;
    const detail::prim::Sort what{
        .descending = descending, .rows = extent == 0 ? 0 : x.size() / extent, .extent = extent, .kept = kept};
    return ops::record(op, what, Shape(extents), DType::int32, {x});
}

Tensor search(const char* op, const Tensor& sequence, const Tensor& values, bool upper) {
    const auto shapes = [&] { return fmt::format("{} and values {}", toString(sequence.shape()), toString(values.shape())); };
    if (sequence.rank() < 1 || values.rank() < 1) ops::fail(op, "a scalar: {}", shapes());
    const auto rowsOf = [](const Tensor& x) {
        std::int64_t rows = 1;
        for (int axis = 0; axis + 1 < x.rank(); ++axis) rows *= x.shape()[axis];
        return rows;
    };
    const detail::prim::Search what{
        .upper = upper, .batch = rowsOf(values), .extent = sequence.shape()[-1], .count = values.shape()[-1]};
    if (rowsOf(sequence) != what.batch) ops::fail(op, "different numbers of rows: {}", shapes());
    const DType dtype = promote(sequence.dtype(), values.dtype());
    return ops::record(op, what, Shape{what.batch, what.count}, DType::int32, {cast(sequence, dtype), cast(values, dtype)});
}

}  // namespace

TopK topk(const Tensor& x, std::int64_t k, bool inOrder) {
    if (x.rank() < 1) ops::fail("topk", "x is a scalar");
    const std::int64_t extent = x.shape()[-1];
    if (k < 0 || k > extent) ops::fail("topk", "k {} of the last axis of {}", k, toString(x.shape()));
    const auto along = [](const Tensor& from, const Tensor& positions) { return gather(from, positions, -1, from.rank() - 1); };
    if (!inOrder && k == extent) {
        const Tensor places = broadcastTo(range(0, static_cast<double>(k), 1, DType::int32), x.shape());
        return {.values = x, .indices = places};
    }
    Tensor indices = sorted("topk", x, k, true);
    if (!inOrder) indices = along(indices, sorted("topk", indices, k, false));
    return {.values = along(x, indices), .indices = indices};
}

Tensor searchSorted(const Tensor& sortedSequence, const Tensor& values, Side side) {
    return search("searchSorted", sortedSequence, values, side == Side::right);
}
Tensor lowerBound(const Tensor& sortedSequence, const Tensor& values) {
    return search("lowerBound", sortedSequence, values, false);
}
Tensor upperBound(const Tensor& sortedSequence, const Tensor& values) {
    return search("upperBound", sortedSequence, values, true);
}

}  // namespace stile
