#include "ops/indices.hpp"

#include <cstring>
#include <utility>

#include "ops/check.hpp"
#include "stile/create.hpp"
#include "stile/ops/elementwise.hpp"
#include "stile/ops/reduce.hpp"
#include "stile/ops/shape.hpp"

namespace stile::ops {

bool eachKnown(const Tensor& x, const std::function<void(std::int64_t, std::int32_t)>& each) {
    const detail::Node& node = *x.node();
    const auto* fill = std::get_if<detail::prim::Fill>(&node.primitive);
    if (!fill && !node.host) return false;
    for (std::int64_t i = 0; i < x.size(); ++i) {
        std::int32_t value = 0;
        std::memcpy(&value, fill ? reinterpret_cast<const std::byte*>(&fill->bits) : node.host->bytes.data() + i * 4, 4);
        each(i, value);
    }
    return true;
}

Places placesOf(const Tensor& indices, std::vector<std::int64_t> batch, const Shape& shape, std::int64_t depth,
                const std::function<void(std::int32_t, int)>& missed) {
    Places places{.batch = std::move(batch), .block = {}, .blocks = 1, .rows = {}};
    std::vector<std::int32_t> extents, strides(static_cast<std::size_t>(depth));
    for (int axis = 0; axis < shape.rank(); ++axis) {
        if (axis >= depth) {
            places.block.push_back(shape[axis]);
            continue;
        }
        extents.push_back(static_cast<std::int32_t>(shape[axis]));
        places.blocks *= shape[axis];
    }
    std::int64_t count = 1, stride = 1;
    for (const std::int64_t extent : places.batch) count *= extent;
    for (std::size_t axis = extents.size(); axis-- > 0;) {
        // Of a tensor without elements a stride may not fit; nothing is in range then.
        strides[axis] = static_cast<std::int32_t>(stride);
        stride *= extents[axis];
    }

    if (depth == 0) {
        places.rows = zeros({count}, DType::int32);
        return places;
    }
    std::vector<std::int32_t> rows(static_cast<std::size_t>(count), 0);
    const bool known = eachKnown(indices, [&](std::int64_t i, std::int32_t coordinate) {
        const auto axis = static_cast<std::size_t>(i % depth);
        std::int32_t& row = rows[static_cast<std::size_t>(i / depth)];
        const bool inside = coordinate >= 0 && coordinate < extents[axis];
        if (!inside) missed(coordinate, static_cast<int>(axis));
        row = inside && row >= 0 ? row + coordinate * strides[axis] : -1;
    });
    if (known) {
        places.rows = tensor(std::move(rows));
    } else if (depth == 1) {
        places.rows = reshape(indices, Shape{count});  // the kernels look whether it is in range
    } else {
        const Tensor table = reshape(indices, Shape{count, depth});
        const Tensor inside = all(logicalAnd(table >= 0, less(table, tensor(std::move(extents)))), -1);
        places.rows = where(inside, sum(table * tensor(std::move(strides)), -1), -1);
    }
    return places;
}

}  // namespace stile::ops
