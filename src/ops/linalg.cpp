#include "stile/ops/linalg.hpp"

#include <algorithm>

#include "ops/check.hpp"
#include "stile/create.hpp"
#include "stile/ops/elementwise.hpp"
#include "stile/ops/matmul.hpp"
#include "stile/ops/norm.hpp"
#include "stile/ops/reduce.hpp"
#include "stile/ops/shape.hpp"

namespace stile::linalg {
namespace {

Tensor positions(std::int64_t count) { return range(0, static_cast<double>(count), 1, DType::int32); }

void expectMatrices(const char* op, const Tensor& x) {
    if (x.rank() < 2) ops::fail(op, "x {} is of a rank below 2", toString(x.shape()));
}

Tensor inBand(const Tensor& x, const Tensor& lower, const Tensor& upper) {
    // How far below the diagonal.
    const Tensor below = expandDims(positions(x.shape()[-2]), 1) - positions(x.shape()[-1]);
    return where(logicalAnd(below <= lower, -below <= upper), x, zeros({}, x.dtype()));
}

/// One row of gramSchmidt: what is left of the rest along it, and the row itself made of length 1.
struct Step {
    Tensor unit, rest;
};
Step advance(const Tensor& rows) {
    const std::int64_t n = rows.shape()[0];
    const Tensor first = slice(rows, {0}, {1});
    const Tensor unit = first / norm(first);
    if (n == 1) return {unit, zeros({0, rows.shape()[1]})};
    const Tensor rest = slice(rows, {1}, {n - 1});
    return {unit, rest - sum(rest * unit, 1, true) * unit};
}

}  // namespace

Tensor bandPart(const Tensor& x, std::int64_t lower, std::int64_t upper) {
    expectMatrices("bandPart", x);
    const std::int64_t rows = x.shape()[-2], columns = x.shape()[-1];
    if (lower > rows || upper > columns) {
        ops::fail("bandPart", "{} below and {} above the diagonal of shape {}", lower, upper, toString(x.shape()));
    }
    return inBand(x, Tensor(lower < 0 ? rows : lower), Tensor(upper < 0 ? columns : upper));
}

Tensor bandPart(const Tensor& x, const Tensor& lower, const Tensor& upper) {
    expectMatrices("bandPart", x);
    const auto limit = [&](const char* argument, const Tensor& given, std::int64_t extent) {
        ops::expect("bandPart", argument, given, DType::int32);
        if (given.rank() != 0) ops::fail("bandPart", "{} {} is no scalar", argument, toString(given.shape()));
        return where(given < 0, Tensor(extent), given);
    };
    return inBand(x, limit("lower", lower, x.shape()[-2]), limit("upper", upper, x.shape()[-1]));
}

Tensor gramSchmidt(const Tensor& x) {
    ops::expect("gramSchmidt", "x", x, DType::float32);
    if (x.rank() != 2 || x.shape()[0] > x.shape()[1]) {
        ops::fail("gramSchmidt", "x {}: takes [n, m] with n at most m", toString(x.shape()));
    }
    if (x.shape()[0] == 0) return x;
    std::vector<Tensor> units;
    Tensor rest = x;
    for (std::int64_t i = 0; i < x.shape()[0]; ++i) {
        Step next = advance(rest);
        units.push_back(std::move(next.unit));
        rest = std::move(next.rest);
    }
    return concat(units);
}

std::vector<Tensor> gramSchmidt(const std::vector<Tensor>& xs) {
    if (xs.empty()) ops::fail("gramSchmidt", "no vectors");
    for (const Tensor& x : xs) {
        if (x.rank() != 1 || x.shape() != xs.front().shape()) {
            ops::fail("gramSchmidt", "{} and {}: takes vectors of one length", toString(xs.front().shape()),
                      toString(x.shape()));
        }
    }
    return unstack(gramSchmidt(stack(xs)));
}

QR qr(const Tensor& x, bool fullMatrices) {
    expectMatrices("qr", x);
    ops::expect("qr", "x", x, DType::float32);
    const std::int64_t m = x.shape()[-2], n = x.shape()[-1], k = std::min(m, n);
    const std::int64_t batches = x.size() == 0 ? 0 : x.size() / (m * n);
    std::vector<std::int64_t> leading(x.shape().begin(), x.shape().end() - 2);
    const auto shaped = [&](const Tensor& part) {
        std::vector<std::int64_t> extents = leading;
        extents.insert(extents.end(), {part.shape()[-2], part.shape()[-1]});
        return reshape(part, extents);
    };
    const std::int64_t kept = fullMatrices ? m : k;
    if (batches == 0) {
        // Without columns nothing is reflected.
        std::vector<std::int64_t> extents = leading;
        extents.insert(extents.end(), {kept, n});
        return {eye(m, kept, Shape(leading)), zeros(ops::shapeOf("qr", extents))};
    }
    Tensor r = reshape(x, {batches, m, n}), q = eye(m, m, Shape{batches});
    const Tensor row = reshape(positions(m), {m, 1});
    for (std::int64_t j = 0; j < k; ++j) {
        // The reflection I - tau w wᵀ that turns the column below j - 1 into s · length in place j and zeros: w is 1 there, and the
        // column divided by its head's distance from that below it.
        const Tensor index(j);
        const Tensor column = where(row >= index, slice(r, {0, 0, j}, {batches, m, 1}), 0.0F);
        const Tensor head = slice(r, {0, j, j}, {batches, 1, 1});
        const Tensor length = norm(column, NormOrder::euclidean, 1, true);
        const Tensor sign = where(head > 0.0F, -1.0F, 1.0F);
        const Tensor distance = head - sign * length;
        // A column of zeros is left as it is.
        const Tensor isZero = length == 0.0F;
        const Tensor w = where(row == index, 1.0F, where(isZero, 0.0F, column / distance));
        const Tensor tau = where(isZero, 0.0F, -sign * distance / length);
        const Tensor scaled = tau * w;
        r = r - scaled * matMul(w, r, true);
        q = q - matMul(q, w) * transpose(scaled, {0, 2, 1});
    }
    // What rounding has left below the diagonal is zero by definition.
    r = bandPart(r, 0, -1);
    if (kept < m) {
        q = slice(q, {0, 0, 0}, {batches, m, kept});
        r = slice(r, {0, 0, 0}, {batches, kept, n});
    }
    return {shaped(q), shaped(r)};
}

}  // namespace stile::linalg
