#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/launch.hpp"
#include "stile/shape.hpp"
#include "tensor/primitive.hpp"

namespace stile::kernels {

/// The most turns of all loops of an invocation that walks a window; the limit is 65,535 on one driver.
constexpr std::int64_t longestLoop = 30000;

/// The part of a window that one pass walks.
struct WindowPart {
    std::int64_t rowBegin = 0, rowEnd = 0, columnBegin = 0, columnEnd = 0;
};

/// Cuts a window into parts that need at most `longestLoop` turns, when each position of it needs `turns`.
[[nodiscard]] inline std::vector<WindowPart> partsOf(const detail::prim::Window& w, std::int64_t turns) {
    const std::int64_t columns = std::clamp<std::int64_t>(longestLoop / turns, 1, w.width);
    const std::int64_t rows = std::clamp<std::int64_t>(longestLoop / (columns * turns + 1), 1, w.height);
    std::vector<WindowPart> parts;
    for (std::int64_t row = 0; row < w.height; row += rows) {
        for (std::int64_t column = 0; column < w.width; column += columns) {
            parts.push_back({row, std::min(row + rows, w.height), column, std::min(column + columns, w.width)});
        }
    }
    return parts;
}

/// The parameters that kernels with a window over NHWC images share. P[0]: invocations; P[1…4]: input height, width, channels, output
/// channels; P[5], P[6]: output height, width; P[7…8]: window height, width; P[9…10]: strides; P[11…12]: dilations; P[13…14]: padding
/// above and to the left; P[15…16]: rows and P[17…18]: columns of the window in this pass.
[[nodiscard]] inline Params windowParams(const detail::prim::Window& w, const Shape& x, const Shape& out,
                                         std::int64_t invocations, const WindowPart& part) {
    return {invocations,   x[1],      x[2],        x[3],        out[3], out[1], out[2],        w.height,    w.width,
            w.strideY,     w.strideX, w.dilationY, w.dilationX, w.top,  w.left, part.rowBegin, part.rowEnd, part.columnBegin,
            part.columnEnd};
}

/// Appends the divisors that take an invocation's number apart: P[19]: channels of the result, in items of `unit` of them; P[22]:
/// columns, in items of `columns`; P[25]: rows.
inline void addWindowDivisors(Params& params, const Shape& out, std::int64_t unit, std::int64_t columns) {
    for (const std::int64_t divisor : {out[3] / unit, (out[2] + columns - 1) / columns, out[1]}) params.addDivisor(divisor);
}

}  // namespace stile::kernels
