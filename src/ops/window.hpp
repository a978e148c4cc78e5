#pragma once

#include "stile/ops/conv.hpp"
#include "stile/shape.hpp"
#include "tensor/primitive.hpp"

namespace stile::ops {

/// A window over images, and the height and width that come out.
struct Sliding {
    detail::prim::Window window;
    std::int64_t height = 0, width = 0;
};

/// Works out padding and output size for images of the shape [batch, height, width, channels].
/// \throws Error `invalid_argument` that names the operation, for strides or dilations below 1 and sizes that do not fit.
[[nodiscard]] Sliding slide(const char* op, const Shape& images, Pair window, Pair strides, Pair dilations, Padding padding,
                            Rounding rounding);

}  // namespace stile::ops
