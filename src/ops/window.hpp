#pragma once

#include <array>
#include <optional>
#include <span>

#include "stile/ops/conv.hpp"
#include "stile/shape.hpp"
#include "stile/tensor.hpp"
#include "tensor/primitive.hpp"

namespace stile::ops {

/// A window over images, and the height and width that come out.
struct Sliding {
    detail::prim::Window window{};
    std::int64_t height = 0, width = 0;
};

/// A window over volumes: over their planes, and along the depth.
struct Sliding3d {
    Sliding plane{};
    std::int64_t window = 1, stride = 1, dilation = 1, front = 0;
    std::int64_t depth = 0;  ///< that comes out
};

/// Works out padding and output size for images of the shape [batch, height, width, channels].
/// \throws Error `invalid_argument` that names the operation, for strides or dilations below 1 and sizes that do not fit.
[[nodiscard]] Sliding slide(const char* op, const Shape& images, Pair window, Pair strides, Pair dilations, Padding padding,
                            std::optional<Rounding> rounding);
/// The same for volumes of the shape [batch, depth, height, width, channels].
[[nodiscard]] Sliding3d slide(const char* op, const Shape& volumes, Triple window, Triple strides, Triple dilations,
                              Padding padding, std::optional<Rounding> rounding);

/// \throws Error `invalid_argument` if both are above 1 somewhere.
void expectStridesOrDilations(const char* op, std::span<const std::int64_t> strides, std::span<const std::int64_t> dilations);
inline void expectStridesOrDilations(const char* op, Pair strides, Pair dilations) {
    expectStridesOrDilations(op, std::array{strides.height, strides.width}, std::array{dilations.height, dilations.width});
}
inline void expectStridesOrDilations(const char* op, Triple strides, Triple dilations) {
    expectStridesOrDilations(op, std::array{strides.depth, strides.height, strides.width},
                             std::array{dilations.depth, dilations.height, dilations.width});
}

/// Inputs of `rank` axes, or one without batch, in the order of most kernels (batch first, channels last), and back.
struct Arranged {
    Tensor x;
    bool single = false, channelsFirst = false;

    /// Back to the rank and order of the caller.
    [[nodiscard]] Tensor restore(const Tensor& result) const;
};
/// \throws Error `invalid_argument` for another rank.
[[nodiscard]] Arranged arrange(const char* op, const Tensor& x, int rank, DataFormat format);
/// A shape in the order of most kernels, of an output that the caller names. \throws as `arrange`.
[[nodiscard]] Shape arrange(const char* op, const Shape& shape, int rank, DataFormat format);

}  // namespace stile::ops
