#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "stile/error.hpp"
#include "stile/tensor.hpp"
#include "tensor/describe.hpp"
#include "tensor/node.hpp"

/// What the operations share: messages, axes, recording.
namespace stile::ops {

/// \throws Error `invalid_argument`: "op: message".
template <class... Args>
[[noreturn]] void fail(const char* op, fmt::format_string<Args...> format, Args&&... args) {
    throw Error(errc::invalid_argument, fmt::format("{}: {}", op, fmt::format(format, std::forward<Args>(args)...)));
}

/// \throws Error `wrong_dtype` unless the tensor has this dtype.
inline void expect(const char* op, const char* argument, const Tensor& x, DType dtype) {
    if (x.dtype() != dtype) {
        throw Error(errc::wrong_dtype,
                    fmt::format("{}: {} {} is {}, not {}", op, argument, toString(x.shape()), name(x.dtype()), name(dtype)));
    }
}

/// The axis counted from the first. \throws Error `invalid_argument` outside the rank.
[[nodiscard]] inline int axisOf(const char* op, const Shape& shape, int axis) {
    const int at = axis < 0 ? axis + shape.rank() : axis;
    if (at < 0 || at >= shape.rank()) fail(op, "axis {} is outside shape {}", axis, toString(shape));
    return at;
}

/// The axes as bits; all if none is named. \throws Error `invalid_argument` outside the rank or named twice.
[[nodiscard]] inline std::uint32_t axesOf(const char* op, const Shape& shape, const Axes& axes) {
    if (axes.all()) return (1U << static_cast<unsigned>(shape.rank())) - 1U;
    std::uint32_t bits = 0;
    for (const int axis : axes.list()) {
        const std::uint32_t bit = 1U << static_cast<unsigned>(axisOf(op, shape, axis));
        if ((bits & bit) != 0) fail(op, "axis {} is named twice, shape {}", axis, toString(shape));
        bits |= bit;
    }
    return bits;
}

/// The axes that the bits name.
[[nodiscard]] inline std::vector<int> listOf(std::uint32_t bits) {
    std::vector<int> axes;
    for (int axis = 0; bits >> static_cast<unsigned>(axis) != 0; ++axis) {
        if ((bits >> static_cast<unsigned>(axis) & 1U) != 0) axes.push_back(axis);
    }
    return axes;
}

[[nodiscard]] inline std::vector<std::int64_t> extentsOf(const Shape& shape) { return {shape.begin(), shape.end()}; }

/// The distance in elements between neighbours along each axis of a dense tensor.
[[nodiscard]] inline std::vector<std::int64_t> stridesOf(const Shape& shape) {
    std::vector<std::int64_t> strides(static_cast<std::size_t>(shape.rank()));
    std::int64_t stride = 1;
    for (std::size_t i = strides.size(); i-- > 0;) {
        strides[i] = stride;
        stride *= shape[static_cast<int>(i)];
    }
    return strides;
}

/// More than any extent may be: larger arguments are cut to it, so that sums and products of a few stay within 64 bits.
constexpr std::int64_t beyondInt32 = std::int64_t{1} << 31;

/// A shape from extents worked out here. \throws Error `invalid_argument` that names the operation.
[[nodiscard]] inline Shape shapeOf(const char* op, const std::vector<std::int64_t>& extents) {
    try {
        return Shape(extents);
    } catch (const Error& e) {
        fail(op, "result: {}", detail::words(e));
    }
}

/// Records an operation. What only moves elements does so with complex64 too, and with strings, which it moves at once.
[[nodiscard]] Tensor record(const char* op, detail::Primitive what, const Shape& shape, DType dtype,
                            const std::vector<Tensor>& inputs);

/// A number as an element's bits; converts as `cast` does. Of complex64 the bits of the real part.
[[nodiscard]] std::uint32_t bitsOf(double value, DType dtype);

}  // namespace stile::ops
