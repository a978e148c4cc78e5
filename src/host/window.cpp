#include "host/elements.hpp"
#include "host/host.hpp"
#include "host/numbers.hpp"

namespace stile::host {
namespace {

/// An element of NHWC images.
struct Position {
    std::int64_t batch = 0, y = 0, x = 0, channel = 0;
};

std::int64_t indexOf(const Shape& shape, const Position& at) {
    return ((at.batch * shape[1] + at.y) * shape[2] + at.x) * shape[3] + at.channel;
}

Position positionOf(const Shape& shape, std::int64_t i) {
    return {i / shape[3] / shape[2] / shape[1], i / shape[3] / shape[2] % shape[1], i / shape[3] % shape[2], i % shape[3]};
}

/// Calls `visit(place in the window, place in the image)` for all places of a window that lie inside the image; channel 0.
template <class Visit>
void slide(const prim::Window& w, const Shape& image, const Position& out, Visit visit) {
    for (std::int64_t ky = 0; ky < w.height; ++ky) {
        const std::int64_t y = out.y * w.strideY - w.top + ky * w.dilationY;
        if (y < 0 || y >= image[1]) continue;
        for (std::int64_t kx = 0; kx < w.width; ++kx) {
            const std::int64_t x = out.x * w.strideX - w.left + kx * w.dilationX;
            if (x >= 0 && x < image[2]) visit(ky * w.width + kx, Position{out.batch, y, x, 0});
        }
    }
}

/// The same for a window that slides over the result: the places of the image where it stops with the result's place under it.
template <class Visit>
void slideOverResult(const prim::Window& w, const Shape& image, const Position& out, Visit visit) {
    for (std::int64_t ky = 0; ky < w.height; ++ky) {
        const std::int64_t y = out.y + w.top - ky * w.dilationY;
        if (y < 0 || y % w.strideY != 0 || y / w.strideY >= image[1]) continue;
        for (std::int64_t kx = 0; kx < w.width; ++kx) {
            const std::int64_t x = out.x + w.left - kx * w.dilationX;
            if (x < 0 || x % w.strideX != 0 || x / w.strideX >= image[2]) continue;
            visit(ky * w.width + kx, Position{out.batch, y / w.strideY, x / w.strideX, 0});
        }
    }
}

double product(const Operand& x, std::int64_t i, const Operand& filter, std::int64_t j) {
    return static_cast<double>(get<float>(x.data, i)) * static_cast<double>(get<float>(filter.data, j));
}

}  // namespace

void run(const prim::Conv2d& what, Operands in, const Operand& out) {
    const Operand &x = in[0], &filter = in[1];
    const std::int64_t channels = x.shape[3], outputs = out.shape[3];
    for (std::int64_t i = 0; i < out.shape.size(); ++i) {
        const Position at = positionOf(out.shape, i);
        double sum = 0;
        const auto visit = [&](std::int64_t place, const Position& from) {
            for (std::int64_t c = 0; c < channels; ++c) {
                sum += product(x, indexOf(x.shape, from) + c, filter, (place * channels + c) * outputs + at.channel);
            }
        };
        what.transposed ? slideOverResult(what.window, x.shape, at, visit) : slide(what.window, x.shape, at, visit);
        put(out.data, i, static_cast<float>(sum));
    }
}

void run(const prim::DepthwiseConv2d& what, Operands in, const Operand& out) {
    const Operand &x = in[0], &filter = in[1];
    const std::int64_t outputs = out.shape[3], multiplier = filter.shape[3];
    for (std::int64_t i = 0; i < out.shape.size(); ++i) {
        const Position at = positionOf(out.shape, i);
        double sum = 0;
        slide(what.window, x.shape, at, [&](std::int64_t place, const Position& from) {
            sum += product(x, indexOf(x.shape, from) + at.channel / multiplier, filter, place * outputs + at.channel);
        });
        put(out.data, i, static_cast<float>(sum));
    }
}

namespace {

void average(const prim::Pool& what, const Operand& x, const Operand& out) {
    for (std::int64_t i = 0; i < out.shape.size(); ++i) {
        const Position at = positionOf(out.shape, i);
        double sum = 0;
        std::int64_t places = 0;
        slide(what.window, x.shape, at, [&](std::int64_t, const Position& from) {
            sum += static_cast<double>(get<float>(x.data, indexOf(x.shape, from) + at.channel));
            ++places;
        });
        // Of a window outside the image NaN.
        put(out.data, i, static_cast<float>(sum / static_cast<double>(places)));
    }
}

Int plus(Int a, Int b) { return added(a, b); }
float plus(float a, float b) { return a + b; }

/// The largest of each window, or its place; NaNs are passed over.
template <class T>
void largest(const prim::Pool& what, Operands in, const Operand& out, T least) {
    const Operand& x = in[0];
    const std::int64_t image = x.shape.size() / x.shape[0];
    for (std::int64_t i = 0; i < out.shape.size(); ++i) {
        const Position at = positionOf(out.shape, i);
        T best = least;
        std::int64_t place = -1;
        slide(what.window, x.shape, at, [&](std::int64_t tap, const Position& from) {
            const std::int64_t source = indexOf(x.shape, from) + at.channel;
            auto value = get<T>(x.data, source);
            if (what.kind == prim::Pooling::dilation) {
                value = plus(value, get<T>(in[1].data, tap * x.shape[3] + at.channel));
            }
            if (!(value > best) && !(place < 0 && value == least)) return;
            best = value;
            place = source;
        });
        if (what.kind == prim::Pooling::place && place >= 0) place %= image;
        const bool wantsPlace = what.kind == prim::Pooling::place || what.kind == prim::Pooling::placeInBatch;
        wantsPlace ? put(out.data, i, static_cast<Int>(place)) : put(out.data, i, best);
    }
}

}  // namespace

void run(const prim::Pool& what, Operands in, const Operand& out) {
    if (what.kind == prim::Pooling::average) {
        average(what, in[0], out);
    } else if (in[0].dtype == DType::float32) {
        largest<float>(what, in, out, -infinity);
    } else {
        largest<Int>(what, in, out, leastInt);
    }
}

}  // namespace stile::host
