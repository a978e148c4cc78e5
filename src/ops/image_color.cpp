#include "ops/check.hpp"
#include "stile/create.hpp"
#include "stile/ops/elementwise.hpp"
#include "stile/ops/image.hpp"
#include "stile/ops/reduce.hpp"
#include "stile/ops/shape.hpp"

namespace stile::image {
namespace {

/// float32, whatever the dtype.
Tensor grey(const Tensor& x) {
    const std::vector<float> weights{0.2989F, 0.587F, 0.114F};
    return sum(cast(x, DType::float32) * tensor(weights), -1, true);
}

/// Otsu's threshold of grey values, a float32 scalar; -1 if nothing parts them.
Tensor otsu(const Tensor& values) {
    const Tensor whole = reshape(cast(round(values), DType::int32), {values.size(), 1});
    const Tensor levels = range(0, 256, 1, DType::int32);
    // [256]: how many pixels have each level.
    const Tensor counts = cast(sum(cast(whole == levels, DType::int32), 0), DType::float32);
    const Tensor heights = range(0, 256);
    // Rows: thresholds 0 … 254; columns: whether a level is below it or at it.
    const Tensor below = cast(lessEqual(levels, reshape(range(0, 255, 1, DType::int32), {255, 1})), DType::float32);
    const Tensor mass = sum(counts), moment = sum(counts * heights);
    const Tensor first = sum(counts * below, 1), firstMoment = sum(counts * heights * below, 1);
    const Tensor second = mass - first;
    const Tensor apart = divNoNan(firstMoment, first) - divNoNan(moment - firstMoment, second);
    const Tensor variance = divNoNan(first, mass) * divNoNan(second, mass) * square(apart);
    return where(max(variance) > 0.0F, cast(argMax(variance), DType::float32), -1.0F);
}

}  // namespace

Tensor flipLeftRight(const Tensor& images) {
    if (images.rank() != 4) ops::fail("flipLeftRight", "images {} are not of rank 4", toString(images.shape()));
    return reverse(images, 2);
}

Tensor grayscaleToRGB(const Tensor& images) {
    if (images.rank() < 2 || images.shape()[-1] != 1) {
        ops::fail("grayscaleToRGB", "images {} have no last axis of 1", toString(images.shape()));
    }
    std::vector<std::int64_t> repeats(static_cast<std::size_t>(images.rank()), 1);
    repeats.back() = 3;
    return tile(images, repeats);
}

Tensor rgbToGrayscale(const Tensor& images) {
    if (images.rank() < 2 || images.shape()[-1] != 3) {
        ops::fail("rgbToGrayscale", "images {} have no last axis of 3", toString(images.shape()));
    }
    return cast(grey(images), images.dtype());
}

Tensor threshold(const Tensor& image, const ThresholdOptions& options) {
    constexpr const char* op = "threshold";
    if (image.dtype() != DType::float32) ops::expect(op, "image", image, DType::int32);
    if (image.rank() != 3 || (image.shape()[2] != 1 && image.shape()[2] != 3)) {
        ops::fail(op, "image {} is not [height, width, 1 or 3]", toString(image.shape()));
    }
    const Tensor values = image.shape()[2] == 3 ? grey(image) : cast(image, DType::float32);
    const Tensor limit = options.method == ThresholdMethod::otsu ? otsu(values) : scalar(options.value * 255.0F);
    const Tensor chosen = options.inverted ? lessEqual(values, limit) : greater(values, limit);
    return cast(chosen, DType::int32) * 255;
}

}  // namespace stile::image
