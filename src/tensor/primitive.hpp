#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "stile/dtype.hpp"
#include "stile/shape.hpp"
#include "tensor/elementwise.hpp"

/// What a node computes: one plain struct for each kernel. Public operations are recorded as one or several of these.
/// Arguments are checked and sizes worked out before: a kernel trusts what it reads here.
namespace stile::detail::prim {

/// Values on the host: a leaf (see Node::host).
struct Host {};
/// All elements equal: a leaf without memory. The value as the element's bits.
struct Fill {
    std::uint32_t bits = 0;
};
/// The input's elements in another shape of the same size.
struct Alias {};
/// A row of the element-wise table.
struct Elementwise {
    Op op{};
    DType computed{};  ///< the dtype that the operands are converted to
    std::array<float, 2> params{};
};
enum class Reduction : std::uint8_t { sum, mean, prod, max, min, all, any, argMax, argMin };
/// Reduces the axes whose bits are set.
struct Reduce {
    Reduction kind{};
    std::uint32_t axes = 0;
};
/// [..., m, k] × [..., k, n].
struct MatMul {
    bool transposeA = false, transposeB = false;
};
/// A window that slides over NHWC images: all sizes resolved.
struct Window {
    std::int64_t height = 1, width = 1;
    std::int64_t strideY = 1, strideX = 1;
    std::int64_t dilationY = 1, dilationX = 1;
    std::int64_t top = 0, left = 0;
};
/// x [batch, height, width, in] with filters [height, width, in, out]. Transposed: the window slides over the result, and x is
/// where it stops.
struct Conv2d {
    Window window;
    bool transposed = false;
};
struct DepthwiseConv2d {
    Window window;
};
/// What is kept of a window: the largest; the mean; the largest after a filter [height, width, channels] has been added; the place
/// of the largest, (y · width + x) · channels + channel in the image or in all of them, -1 if there is none.
enum class Pooling : std::uint8_t { max, average, dilation, place, placeInBatch };
struct Pool {
    Window window;
    Pooling kind{};
};
/// result[i…] = x[offset + Σ i · stride], in elements: transpose, slice, reverse, tile, broadcastTo. The extents are those
/// of the iteration, whose row-major order is the result's; there may be more of them than the result has axes.
struct Strided {
    std::vector<std::int64_t> extents{}, strides{};
    std::int64_t offset = 0;
};
/// Surrounds with a constant (as bits): elements before each axis of the input.
struct Pad {
    std::vector<std::int64_t> before{};
    std::uint32_t bits = 0;
};
/// Joins along an axis.
struct Concat {
    int axis = 0;
};
/// x [batch, outer, n, inner] by indices [batch, picks].
struct Gather {
    std::int64_t batch = 1, outer = 1, extent = 1, inner = 1, picks = 1;
};
/// The sums or products of all elements up to each, along the middle axis of x [outer, extent, inner].
struct Scan {
    bool product = false;
    bool exclusive = false;  ///< without the element itself
    bool reverse = false;    ///< from the last element on
    std::int64_t outer = 1, extent = 1, inner = 1;
};
enum class Combine : std::uint8_t { sum, last };
/// Rows of updates [count, inner] (or one element that stands for all of them) put at rows of a result [extent, inner]; the first input
/// says at which. The rest of the result comes from the third input, which broadcasts to it; zeros without one.
/// Where several meet, they are summed (a bool: or), or the last of them stays. Rows outside the result are passed over.
struct Scatter {
    Combine combine{};
    std::int64_t extent = 1, inner = 1, count = 1;
    bool strict = false;  ///< a row outside the result is a mistake that debugging tells
};
/// For each row of x [rows, extent] the positions of the first `kept` elements in ascending or descending order, equals in
/// their own order, NaNs last.
struct Sort {
    bool descending = false;
    std::int64_t rows = 1, extent = 1, kept = 1;
};
/// How many elements of ascending rows [batch, extent] lie below each of the values [batch, count], or below and at it.
struct Search {
    bool upper = false;
    std::int64_t batch = 1, extent = 1, count = 1;
};
/// NHWC images to another height and width.
struct Resize {
    bool bilinear = true, alignCorners = false, halfPixelCenters = false;
};
enum class Distribution : std::uint8_t { uniform, uniformInt, normal, truncatedNormal, gamma };
/// Philox numbers. uniform: low, high; normal: mean, deviation; gamma: shape, scale; as the element's bits.
struct Random {
    Distribution kind{};
    std::uint64_t seed = 0;
    std::uint32_t first = 0, second = 0;
};

/// The discrete Fourier transforms of the rows of a complex64 tensor, whose length is the product of the factors; scaled
/// by 1 / length if it is the inverse. The second input is exp(-2πi k / length) for k in 0 … length - 1.
struct Fft {
    std::vector<int> factors{};
    bool inverse = false;
};

}  // namespace stile::detail::prim

namespace stile::detail {

using Primitive = std::variant<prim::Host, prim::Fill, prim::Alias, prim::Elementwise, prim::Reduce, prim::MatMul, prim::Conv2d,
                               prim::DepthwiseConv2d, prim::Pool, prim::Strided, prim::Pad, prim::Concat, prim::Gather,
                               prim::Scan, prim::Scatter, prim::Sort, prim::Search, prim::Resize, prim::Random, prim::Fft>;

}  // namespace stile::detail
