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
        slide(what.window, x.shape, at, [&](std::int64_t place, const Position& from) {
            for (std::int64_t c = 0; c < channels; ++c) {
                sum += product(x, indexOf(x.shape, from) + c, filter, (place * channels + c) * outputs + at.channel);
            }
        });
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

void run(const prim::Pool& what, Operands in, const Operand& out) {
    const Operand& x = in[0];
    for (std::int64_t i = 0; i < out.shape.size(); ++i) {
        const Position at = positionOf(out.shape, i);
        double sum = 0;
        std::int64_t places = 0;
        float largest = -infinity;
        Int largestInt = leastInt;
        slide(what.window, x.shape, at, [&](std::int64_t, const Position& from) {
            const std::int64_t source = indexOf(x.shape, from) + at.channel;
            if (out.dtype == DType::float32) {
                const auto value = get<float>(x.data, source);
                sum += static_cast<double>(value);
                if (value > largest) largest = value;  // passes over NaNs
            } else {
                largestInt = std::max(largestInt, get<Int>(x.data, source));
            }
            ++places;
        });
        if (what.average) {
            // Of a window outside the image NaN.
            put(out.data, i, static_cast<float>(sum / static_cast<double>(places)));
        } else {
            out.dtype == DType::float32 ? put(out.data, i, largest) : put(out.data, i, largestInt);
        }
    }
}

}  // namespace stile::host
