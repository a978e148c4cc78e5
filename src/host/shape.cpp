#include "host/elements.hpp"
#include "host/host.hpp"

// Elements are moved as bits, whatever their dtype.
namespace stile::host {

void run(const prim::Strided& what, Operands in, const Operand& out) {
    for (std::int64_t i = 0; i < out.shape.size(); ++i) {
        std::int64_t from = what.offset, rest = i;
        for (std::size_t axis = what.extents.size(); axis-- > 0;) {
            from += rest % what.extents[axis] * what.strides[axis];
            rest /= what.extents[axis];
        }
        put(out.data, i, get<Word>(in[0].data, from));
    }
}

void run(const prim::Pad& what, Operands in, const Operand& out) {
    const Shape& inner = in[0].shape;
    for (std::int64_t i = 0; i < out.shape.size(); ++i) {
        std::int64_t from = 0, stride = 1, rest = i;
        bool inside = true;
        for (int axis = out.shape.rank() - 1; axis >= 0; --axis) {
            const std::int64_t c = rest % out.shape[axis] - what.before[static_cast<std::size_t>(axis)];
            inside = inside && c >= 0 && c < inner[axis];
            from += c * stride;
            stride *= inner[axis];
            rest /= out.shape[axis];
        }
        put(out.data, i, inside ? get<Word>(in[0].data, from) : what.bits);
    }
}

void run(const prim::Concat& what, Operands in, const Operand& out) {
    std::int64_t inner = 1;
    for (int axis = what.axis + 1; axis < out.shape.rank(); ++axis) inner *= out.shape[axis];
    const std::int64_t line = out.shape[what.axis] * inner;
    std::int64_t start = 0;
    for (const Operand& part : in) {
        const std::int64_t row = part.shape[what.axis] * inner;
        for (std::int64_t i = 0; i < part.shape.size(); ++i) {
            put(out.data, i / row * line + start + i % row, get<Word>(part.data, i));
        }
        start += row;
    }
}

void run(const prim::Gather& what, Operands in, const Operand& out) {
    for (std::int64_t i = 0; i < out.shape.size(); ++i) {
        const std::int64_t inner = i % what.inner, pick = i / what.inner % what.picks;
        const std::int64_t line = i / what.inner / what.picks, batch = line / what.outer;
        const auto index = get<std::int32_t>(in[1].data, batch * what.picks + pick);
        const bool inside = index >= 0 && index < what.extent;
        put(out.data, i, inside ? get<Word>(in[0].data, (line * what.extent + index) * what.inner + inner) : Word{0});
    }
}

}  // namespace stile::host
