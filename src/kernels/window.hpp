#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/launch.hpp"
#include "stile/shape.hpp"
#include "tensor/primitive.hpp"

namespace stile::kernels {

/// The most turns of all loops of an invocation that walks a window; the limit is 65,535 on one driver.
constexpr std::int64_t longestLoop = 30000;

/// How many rows of a window one pass may walk.
[[nodiscard]] inline std::int64_t rowsInPass(const detail::prim::Window& w) {
    return std::max<std::int64_t>(1, longestLoop / (w.width + 1));
}

/// The parameters that all kernels with a window over NHWC images share: see shaders/conv2d.comp.
[[nodiscard]] inline Params windowParams(const detail::prim::Window& w, const Shape& x, const Shape& out,
                                         std::int64_t invocations, std::int64_t rowBegin, std::int64_t rowEnd) {
    return {invocations, x[1],      x[2],        x[3],        out[3], out[1], out[2],   w.height, w.width,
            w.strideY,   w.strideX, w.dilationY, w.dilationX, w.top,  w.left, rowBegin, rowEnd};
}

}  // namespace stile::kernels
