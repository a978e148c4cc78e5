#include "cpu/onednn.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>

#include "cpu/onednn/convolution.hpp"
#include "stile/error.hpp"

namespace stile::cpu {
namespace {

using dnnl::memory;

/// The filter in the order that the primitives of one run want. It is the run's own: others like it may come between its steps.
struct Filter {
    float* plain;
    memory ordered{};
};

/// A part of a convolution: some images, or some rows of one.
struct Piece {
    Geometry geometry;
    float* x;
    float* out;
};

/// Multiplications and additions for an image.
double workOf(const Geometry& g) {
    const std::int64_t stops = g.transposed ? g.height * g.width : g.outHeight * g.outWidth;
    return static_cast<double>(stops) * static_cast<double>(g.window.height * g.window.width) *
           static_cast<double>(g.channels / g.groups) * static_cast<double>(g.outputs);
}

/// Rows `first` … `first + rows` of an image's result, and the rows of the image that they need.
Piece rowsOf(const Piece& image, std::int64_t first, std::int64_t rows) {
    Piece piece = image;
    Geometry& g = piece.geometry;
    prim::Window& w = g.window;
    const std::int64_t begin = first * w.strideY - w.top;
    const std::int64_t end = begin + (rows - 1) * w.strideY + (w.height - 1) * w.dilationY + 1;
    const std::int64_t from = std::clamp<std::int64_t>(begin, 0, g.height), to = std::clamp<std::int64_t>(end, from, g.height);
    g.outHeight = rows;
    g.height = to - from;
    w.top = from - begin;
    piece.x += from * g.width * g.channels;
    piece.out += first * g.outWidth * g.outputs;
    return piece;
}

std::vector<Piece> piecesOf(const Piece& whole) {
    const double work = workOf(whole.geometry);
    const std::int64_t batch = whole.geometry.batch;
    const std::int64_t image = whole.geometry.height * whole.geometry.width * whole.geometry.channels;
    const std::int64_t result = whole.geometry.outHeight * whole.geometry.outWidth * whole.geometry.outputs;
    const std::int64_t together = std::clamp<std::int64_t>(static_cast<std::int64_t>(mostWork / work), 1, batch);
    const std::int64_t bands =
        whole.geometry.transposed ? 1 : std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(work / mostWork)));
    const std::int64_t rows = (whole.geometry.outHeight + bands - 1) / bands;
    std::vector<Piece> pieces;
    for (std::int64_t i = 0; i < batch; i += together) {
        Piece piece = whole;
        piece.geometry.batch = std::min(together, batch - i);
        piece.x += i * image;
        piece.out += i * result;
        if (bands == 1) {
            pieces.push_back(piece);
            continue;
        }
        for (std::int64_t row = 0; row < whole.geometry.outHeight; row += rows) {
            pieces.push_back(rowsOf(piece, row, std::min(rows, whole.geometry.outHeight - row)));
        }
    }
    return pieces;
}

void run(const Convolution& c, const Piece& piece, Filter& filter, const dnnl::engine& engine, const dnnl::stream& stream) {
    try {
        if (!filter.ordered || filter.ordered.get_desc() != c.ordered) {
            filter.ordered = memory(c.ordered, engine);
            memory plain(c.filter, engine, filter.plain);
            c.order.execute(stream, {{DNNL_ARG_FROM, plain}, {DNNL_ARG_TO, filter.ordered}});
        }
        c.convolve.execute(stream, {{DNNL_ARG_SRC, memory(c.x, engine, piece.x)},
                                    {DNNL_ARG_WEIGHTS, filter.ordered},
                                    {DNNL_ARG_DST, memory(c.out, engine, piece.out)}});
    } catch (const dnnl::error& error) {
        throw Error(errc::out_of_memory, fmt::format("oneDNN: {}", error.message));
    }
}

Steps convolve(Convolutions& made, const Geometry& geometry, Operands in, const Operand& out) {
    if (geometry.channels == 0) return {};
    const auto filter = std::make_shared<Filter>(Filter{elements(in[1])});
    Steps steps;
    for (const Piece& piece : piecesOf({geometry, elements(in[0]), elements(out)})) {
        Convolution c = piece.geometry.height > 0 ? made.of(piece.geometry) : Convolution{};
        if (!c.convolve) return {};
        steps.push_back({[c = std::move(c), piece, filter, engine = made.engine(), stream = made.stream()] {
                             run(c, piece, *filter, engine, stream);
                         },
                         workOf(piece.geometry) * static_cast<double>(piece.geometry.batch)});
    }
    return steps;
}

Geometry geometryOf(const prim::Window& window, const Shape& x, const Shape& out) {
    return {.batch = x[0],
            .channels = x[3],
            .outputs = out[3],
            .height = x[1],
            .width = x[2],
            .outHeight = out[1],
            .outWidth = out[2],
            .window = window};
}

}  // namespace

struct OneDnn::Made {
    Convolutions convolutions;
};

OneDnn::OneDnn() : made_(std::make_unique<Made>()) {}
OneDnn::~OneDnn() = default;

Steps OneDnn::prepare(const prim::Conv2d& what, Operands in, const Operand& out) {
    Geometry geometry = geometryOf(what.window, in[0].shape, out.shape);
    geometry.transposed = what.transposed;
    if (geometry.channels * geometry.window.height * geometry.window.width > longestSum) return {};
    return convolve(made_->convolutions, geometry, in, out);
}

Steps OneDnn::prepare(const prim::DepthwiseConv2d& what, Operands in, const Operand& out) {
    Geometry geometry = geometryOf(what.window, in[0].shape, out.shape);
    geometry.groups = geometry.channels;
    if (std::int64_t{geometry.window.height} * geometry.window.width > longestSum) return {};
    return convolve(made_->convolutions, geometry, in, out);
}

}  // namespace stile::cpu
