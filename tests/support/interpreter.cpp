#include "interpreter.hpp"

#include <algorithm>
#include <cmath>

namespace test::plain {
namespace {

using stile::DType;
using stile::Shape;

std::size_t flat(const Shape& shape, const Coordinates& at) {
    std::int64_t index = 0;
    for (int i = 0; i < shape.rank(); ++i) index = index * shape[i] + at[static_cast<std::size_t>(i)];
    return static_cast<std::size_t>(index);
}

Coordinates coordinates(const Shape& shape, std::int64_t index) {
    Coordinates at(static_cast<std::size_t>(shape.rank()));
    for (int i = shape.rank() - 1; i >= 0; --i) {
        at[static_cast<std::size_t>(i)] = index % shape[i];
        index /= shape[i];
    }
    return at;
}

/// The element of x at the coordinates of a shape that x broadcasts to.
double broadcastAt(const Value& x, const Coordinates& at) {
    Coordinates own;
    const std::size_t skipped = at.size() - static_cast<std::size_t>(x.shape.rank());
    for (int i = 0; i < x.shape.rank(); ++i) {
        own.push_back(x.shape[i] == 1 ? 0 : at[skipped + static_cast<std::size_t>(i)]);
    }
    return x.data[flat(x.shape, own)];
}

/// A tensor of this shape whose elements are worked out from their coordinates.
Value build(const Shape& shape, DType dtype, const std::function<double(const Coordinates&)>& element) {
    Value out{shape, dtype, {}};
    for (std::int64_t i = 0; i < shape.size(); ++i) out.data.push_back(element(coordinates(shape, i)));
    return out;
}

bool has(std::uint32_t axes, int axis) { return (axes >> static_cast<unsigned>(axis) & 1U) != 0; }

}  // namespace

double wrapped(std::int64_t value) {
    return static_cast<double>(static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::uint64_t>(value))));
}

Value map(const Value& x, DType dtype, const Unary& f) {
    Value out{x.shape, dtype, {}};
    for (const double v : x.data) out.data.push_back(f(v));
    return out;
}

Value map(const Value& a, const Value& b, DType dtype, const Binary& f) {
    return build(stile::broadcastShapes(a.shape, b.shape), dtype,
                 [&](const Coordinates& at) { return f(broadcastAt(a, at), broadcastAt(b, at)); });
}

Value where(const Value& condition, const Value& a, const Value& b) {
    const Shape shape = stile::broadcastShapes(stile::broadcastShapes(condition.shape, a.shape), b.shape);
    return build(shape, stile::promote(a.dtype, b.dtype), [&](const Coordinates& at) {
        return broadcastAt(condition, at) != 0 ? broadcastAt(a, at) : broadcastAt(b, at);
    });
}

Value cast(const Value& x, DType dtype) {
    return map(x, dtype, [&](double v) {
        if (dtype == DType::boolean) return v != 0 ? 1.0 : 0.0;
        return dtype == DType::int32 ? wrapped(static_cast<std::int64_t>(v)) : v;
    });
}

Value reduce(const Value& x, std::uint32_t axes, bool keepDims, double first, const Binary& f) {
    Coordinates extents, kept;
    for (int i = 0; i < x.shape.rank(); ++i) {
        if (!has(axes, i)) extents.push_back(x.shape[i]);
        if (!has(axes, i) || keepDims) kept.push_back(has(axes, i) ? 1 : x.shape[i]);
    }
    const Shape shape{std::span<const std::int64_t>(extents)};
    Value out{shape, x.dtype, std::vector<double>(static_cast<std::size_t>(shape.size()), first)};
    for (std::int64_t i = 0; i < x.shape.size(); ++i) {
        const Coordinates at = coordinates(x.shape, i);
        Coordinates to;
        for (int axis = 0; axis < x.shape.rank(); ++axis) {
            if (!has(axes, axis)) to.push_back(at[static_cast<std::size_t>(axis)]);
        }
        double& total = out.data[flat(shape, to)];
        total = f(total, x.data[static_cast<std::size_t>(i)]);
    }
    out.shape = Shape(std::span<const std::int64_t>(kept));
    return out;
}

Value arg(const Value& x, int axis, const std::function<bool(double, double)>& better) {
    Coordinates extents(x.shape.begin(), x.shape.end());
    extents.erase(extents.begin() + axis);
    return build(Shape(std::span<const std::int64_t>(extents)), DType::int32, [&](const Coordinates& at) {
        Coordinates from = at;
        from.insert(from.begin() + axis, 0);
        std::int64_t best = 0;
        double value = x.data[flat(x.shape, from)];
        for (std::int64_t i = 1; i < x.shape[axis]; ++i) {
            from[static_cast<std::size_t>(axis)] = i;
            const double v = x.data[flat(x.shape, from)];
            if (!better(v, value)) continue;
            value = v;
            best = i;
        }
        return static_cast<double>(best);
    });
}

Value matMul(const Value& a, const Value& b) {
    const std::int64_t m = a.shape[-2], k = a.shape[-1], n = b.shape[-1];
    const Shape batch = stile::broadcastShapes(Shape(std::span(a.shape.begin(), a.shape.end() - 2)),
                                               Shape(std::span(b.shape.begin(), b.shape.end() - 2)));
    Coordinates extents(batch.begin(), batch.end());
    extents.insert(extents.end(), {m, n});
    const DType dtype = stile::promote(a.dtype, b.dtype);
    return build(Shape(std::span<const std::int64_t>(extents)), dtype, [&](const Coordinates& at) {
        Coordinates left = at, right = at;
        double total = 0;
        std::int64_t whole = 0;
        for (std::int64_t i = 0; i < k; ++i) {
            left.back() = i;
            right[right.size() - 2] = i;
            const double x = broadcastAt(a, left), y = broadcastAt(b, right);
            if (dtype == DType::float32) {
                total += x * y;
            } else {
                whole = static_cast<std::int64_t>(wrapped(whole + static_cast<std::int64_t>(x) * static_cast<std::int64_t>(y)));
            }
        }
        return dtype == DType::float32 ? total : wrapped(whole);
    });
}

Value reshape(const Value& x, const Shape& shape) { return {shape, x.dtype, x.data}; }

Value transpose(const Value& x, const std::vector<int>& permutation) {
    Coordinates extents;
    for (const int axis : permutation) extents.push_back(x.shape[axis]);
    return build(Shape(std::span<const std::int64_t>(extents)), x.dtype, [&](const Coordinates& at) {
        Coordinates from(at.size());
        for (std::size_t i = 0; i < at.size(); ++i) from[static_cast<std::size_t>(permutation[i])] = at[i];
        return x.data[flat(x.shape, from)];
    });
}

Value slice(const Value& x, const Coordinates& begin, const Coordinates& size) {
    return build(Shape(std::span<const std::int64_t>(size)), x.dtype, [&](Coordinates at) {
        for (std::size_t i = 0; i < at.size(); ++i) at[i] += begin[i];
        return x.data[flat(x.shape, at)];
    });
}

Value reverse(const Value& x, std::uint32_t axes) {
    return build(x.shape, x.dtype, [&](Coordinates at) {
        for (int i = 0; i < x.shape.rank(); ++i) {
            auto& c = at[static_cast<std::size_t>(i)];
            if (has(axes, i)) c = x.shape[i] - 1 - c;
        }
        return x.data[flat(x.shape, at)];
    });
}

Value tile(const Value& x, const Coordinates& repeats) {
    Coordinates extents(x.shape.begin(), x.shape.end());
    for (std::size_t i = 0; i < extents.size(); ++i) extents[i] *= repeats[i];
    return build(Shape(std::span<const std::int64_t>(extents)), x.dtype, [&](Coordinates at) {
        for (int i = 0; i < x.shape.rank(); ++i) at[static_cast<std::size_t>(i)] %= x.shape[i];
        return x.data[flat(x.shape, at)];
    });
}

Value pad(const Value& x, const std::vector<std::pair<std::int64_t, std::int64_t>>& paddings, double value) {
    Coordinates extents(x.shape.begin(), x.shape.end());
    for (std::size_t i = 0; i < extents.size(); ++i) extents[i] += paddings[i].first + paddings[i].second;
    return build(Shape(std::span<const std::int64_t>(extents)), x.dtype, [&](Coordinates at) {
        for (std::size_t i = 0; i < at.size(); ++i) {
            at[i] -= paddings[i].first;
            if (at[i] < 0 || at[i] >= x.shape[static_cast<int>(i)]) return value;
        }
        return x.data[flat(x.shape, at)];
    });
}

Value concat(const std::vector<Value>& parts, int axis) {
    Coordinates extents(parts.front().shape.begin(), parts.front().shape.end());
    const auto along = static_cast<std::size_t>(axis);
    extents[along] = 0;
    DType dtype = parts.front().dtype;
    for (const Value& part : parts) {
        extents[along] += part.shape[axis];
        dtype = stile::promote(dtype, part.dtype);
    }
    return build(Shape(std::span<const std::int64_t>(extents)), dtype, [&](Coordinates at) {
        std::size_t part = 0;
        while (at[along] >= parts[part].shape[axis]) at[along] -= parts[part++].shape[axis];
        return parts[part].data[flat(parts[part].shape, at)];
    });
}

Value gather(const Value& x, const std::vector<std::int32_t>& indices, int axis) {
    Coordinates extents(x.shape.begin(), x.shape.end());
    const auto along = static_cast<std::size_t>(axis);
    extents[along] = static_cast<std::int64_t>(indices.size());
    return build(Shape(std::span<const std::int64_t>(extents)), x.dtype, [&](Coordinates at) {
        at[along] = indices[static_cast<std::size_t>(at[along])];
        return at[along] >= 0 && at[along] < x.shape[axis] ? x.data[flat(x.shape, at)] : 0.0;
    });
}

}  // namespace test::plain
