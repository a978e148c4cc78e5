#include <cmath>
#include <limits>

#include "ops/check.hpp"
#include "stile/create.hpp"
#include "stile/ops/elementwise.hpp"
#include "stile/ops/image.hpp"
#include "stile/ops/index.hpp"
#include "stile/ops/shape.hpp"

// Images looked up at computed positions: element-wise coordinates, a gather of whole pixels, and the mean of neighbours.
namespace stile::image {
namespace {

/// Images and where to look in them: positions in pixels, float32, [boxes, height, width] or what broadcasts to it.
struct Lookup {
    Tensor images;   ///< [batch, height, width, channels]
    Tensor batch;    ///< [boxes, 1, 1], int32
    Tensor outside;  ///< what a pixel outside has; broadcasts to [boxes, height, width, channels]
};

/// The pixels at whole positions.
Tensor pixelsAt(const Lookup& from, const Tensor& y, const Tensor& x) {
    const Shape& s = from.images.shape();
    const auto height = static_cast<std::int32_t>(s[1]), width = static_cast<std::int32_t>(s[2]);
    const auto within = [](const Tensor& at, std::int64_t extent) {
        return logicalAnd(at >= 0.0F, at < static_cast<float>(extent));
    };
    const Tensor inside = logicalAnd(within(y, s[1]), within(x, s[2]));
    const Tensor index = (from.batch * height + cast(y, DType::int32)) * width + cast(x, DType::int32);
    const Tensor pixels = gather(reshape(from.images, {s[0] * s[1] * s[2], s[3]}), where(inside, index, -1));
    return where(expandDims(inside, -1), pixels, from.outside);
}

Tensor nearest(const Lookup& from, const Tensor& y, const Tensor& x) {
    // Halves up, as the reference rounds. x + 0.5 would round itself.
    const auto rounded = [](const Tensor& at) {
        const Tensor whole = floor(at);
        return whole + cast(at - whole >= 0.5F, DType::float32);
    };
    return pixelsAt(from, rounded(y), rounded(x));
}

Tensor bilinear(const Lookup& from, const Tensor& y, const Tensor& x) {
    const Tensor top = floor(y), left = floor(x);
    const Tensor v = expandDims(y - top, -1), u = expandDims(x - left, -1);
    // A neighbour without weight does not count, whatever it is: 0 · NaN is not 0.
    const auto mix = [](const Tensor& a, const Tensor& b, const Tensor& weight) {
        return where(weight > 0.0F, a * (1.0F - weight) + b * weight, a);
    };
    const Tensor upper = mix(pixelsAt(from, top, left), pixelsAt(from, top, left + 1.0F), u);
    const Tensor lower = mix(pixelsAt(from, top + 1.0F, left), pixelsAt(from, top + 1.0F, left + 1.0F), u);
    return mix(upper, lower, v);
}

Tensor look(const Lookup& from, const Tensor& y, const Tensor& x, Interpolation interpolation) {
    return interpolation == Interpolation::nearest ? nearest(from, y, x) : bilinear(from, y, x);
}

/// A position outside the image, brought back as the mode says.
Tensor broughtBack(const Tensor& at, std::int64_t extent, FillMode mode) {
    const auto length = static_cast<float>(extent);
    const auto clamped = [&](const Tensor& x) { return clipByValue(x, 0, length - 1); };
    switch (mode) {
        case FillMode::constant: return at;
        case FillMode::nearest: return clamped(at);
        case FillMode::reflect: {
            if (extent == 1) return clamped(at);
            const float period = 2 * length;
            const auto cut = [&](const Tensor& x) { return floor(x / period) * period; };  // of x >= 0
            const Tensor up = cut(-at) + at;                                               // in (-period, 0]
            const Tensor below = where(up < -length, up + period, -up - 1.0F);
            const Tensor down = at - cut(at);
            const Tensor above = where(down >= length, period - down - 1.0F, down);
            return clamped(where(at < 0.0F, below, where(at > length - 1, above, at)));
        }
        case FillMode::wrap: break;
    }
    if (extent == 1) return clamped(at);
    const float last = length - 1;
    const Tensor below = at + (floor(-at / last) + 1.0F) * length;
    const Tensor above = at - floor(at / last) * length;
    return clamped(where(at < 0.0F, below, where(at > last, above, at)));
}

void expectImages(const char* op, const Tensor& images) {
    ops::expect(op, "images", images, DType::float32);
    if (images.rank() != 4) ops::fail(op, "images {} are not of rank 4", toString(images.shape()));
}

/// 0, 1, 2, … as float32 along one of three axes.
Tensor along(int axis, std::int64_t count) {
    std::vector<std::int64_t> extents(3, 1);
    extents[static_cast<std::size_t>(axis)] = count;
    return reshape(range(0, static_cast<double>(count)), extents);
}

}  // namespace

Tensor cropAndResize(const Tensor& images, const Tensor& boxes, const Tensor& boxIndices, Pair size,
                     const CropOptions& options) {
    constexpr const char* op = "cropAndResize";
    const Tensor source = cast(images, DType::float32);
    expectImages(op, source);
    ops::expect(op, "boxes", boxes, DType::float32);
    ops::expect(op, "boxIndices", boxIndices, DType::int32);
    const std::int64_t n = boxes.rank() == 2 ? boxes.shape()[0] : -1;
    if (n < 0 || boxes.shape()[1] != 4 || boxIndices.shape() != Shape{n}) {
        ops::fail(op, "boxes {} and boxIndices {} are not [n, 4] and [n]", toString(boxes.shape()),
                  toString(boxIndices.shape()));
    }
    if (size.height < 1 || size.width < 1) ops::fail(op, "size {} × {}", size.height, size.width);
    const Shape& s = images.shape();
    const Shape shape = ops::shapeOf(op, {n, size.height, size.width, s[3]});
    if (shape.size() == 0 || source.size() == 0) return zeros(shape);
    const Tensor corners = reshape(boxes, {n, 1, 1, 4});
    const auto corner = [&](std::int64_t i) { return squeeze(slice(corners, {0, 0, 0, i}, {n, 1, 1, 1}), 3); };
    struct Position {
        Tensor at, inside;
    };
    // Whether a position lies in the image is asked before the division, which may round over its edge.
    const auto positions = [](const Tensor& from, const Tensor& to, int axis, std::int64_t count, std::int64_t extent) {
        const auto last = static_cast<float>(extent - 1);
        const auto steps = static_cast<float>(count > 1 ? count - 1 : 2);
        const Tensor step = count > 1 ? along(axis, count) : ones({1, 1, 1});
        const Tensor scaled = (from * (steps - step) + to * step) * last;
        return Position{minimum(scaled / steps, last), logicalAnd(scaled >= 0.0F, scaled <= last * steps)};
    };
    const Position y = positions(corner(0), corner(2), 1, size.height, s[1]);
    const Position x = positions(corner(1), corner(3), 2, size.width, s[2]);
    const Tensor batch = reshape(boxIndices, {n, 1, 1});
    const Lookup from{source, clipByValue(batch, 0, static_cast<float>(s[0] - 1)), Tensor(0.0F)};
    const Tensor values = look(from, y.at, x.at, options.method);
    const Tensor cropped = where(expandDims(logicalAnd(y.inside, x.inside), -1), values, options.extrapolationValue);
    const Tensor known = logicalAnd(batch >= 0, batch < static_cast<std::int32_t>(s[0]));
    return where(expandDims(known, -1), cropped, 0.0F);
}

Tensor transform(const Tensor& images, const Tensor& transforms, const TransformOptions& options) {
    constexpr const char* op = "transform";
    expectImages(op, images);
    ops::expect(op, "transforms", transforms, DType::float32);
    const Shape& s = images.shape();
    if (transforms.rank() != 2 || (transforms.shape()[0] != s[0] && transforms.shape()[0] != 1) || transforms.shape()[1] != 8) {
        ops::fail(op, "transforms {} are not [batch, 8] or [1, 8] for images {}", toString(transforms.shape()), toString(s));
    }
    const auto [height, width] = options.outputSize;
    if (height < 0 || width < 0) ops::fail(op, "outputSize {} × {}", height, width);
    const Shape shape = ops::shapeOf(op, {s[0], height > 0 ? height : s[1], width > 0 ? width : s[2], s[3]});
    if (shape.size() == 0) return zeros(shape);
    if (images.size() == 0) return fill(shape, static_cast<double>(options.fillValue));
    const Tensor factors = reshape(transforms, {transforms.shape()[0], 1, 1, 8});
    const auto factor = [&](std::int64_t i) {
        return squeeze(slice(factors, {0, 0, 0, i}, {transforms.shape()[0], 1, 1, 1}), 3);
    };
    const Tensor y = along(1, shape[1]), x = along(2, shape[2]);
    const auto line = [&](std::int64_t i) { return factor(i) * x + factor(i + 1) * y; };
    const Tensor projection = line(6) + 1.0F;
    // What lies at infinity is outside in every mode.
    const auto position = [&](std::int64_t i, std::int64_t extent) {
        return where(projection == 0.0F, std::numeric_limits<float>::quiet_NaN(),
                     broughtBack((line(i) + factor(i + 2)) / projection, extent, options.fillMode));
    };
    const Tensor batch = reshape(range(0, static_cast<double>(s[0]), 1, DType::int32), {s[0], 1, 1});
    const Lookup from{images, batch, Tensor(options.fillValue)};
    return look(from, position(3, s[1]), position(0, s[2]), options.interpolation);
}

Tensor rotateWithOffset(const Tensor& images, double radians, const RotateOptions& options) {
    constexpr const char* op = "rotateWithOffset";
    expectImages(op, images);
    const Shape& s = images.shape();
    std::vector<float> outside = options.fillValue;
    if (outside.size() != 1 && outside.size() != 3) ops::fail(op, "{} fill values, images {}", outside.size(), toString(s));
    if (outside.size() == 3) {
        if (s[3] > 4) ops::fail(op, "three fill values for the channels of {}", toString(s));
        outside.push_back(255);  // opaque
        outside.resize(static_cast<std::size_t>(s[3]));
    }
    if (images.size() == 0) return images;
    const auto centerX = static_cast<float>(static_cast<double>(s[2]) * options.center.x);
    const auto centerY = static_cast<float>(static_cast<double>(s[1]) * options.center.y);
    const auto sine = static_cast<float>(std::sin(radians)), cosine = static_cast<float>(std::cos(radians));
    const Tensor x = along(2, s[2]) - centerX, y = along(1, s[1]) - centerY;
    const Tensor batch = reshape(range(0, static_cast<double>(s[0]), 1, DType::int32), {s[0], 1, 1});
    const Lookup from{images, batch, tensor(outside)};
    return nearest(from, x * sine + y * cosine + centerY, x * cosine - y * sine + centerX);
}

}  // namespace stile::image
