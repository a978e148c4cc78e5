#include "stile/create.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>

#include "ops/check.hpp"
#include "ops/on_host.hpp"
#include "stile/ops/elementwise.hpp"
#include "stile/ops/shape.hpp"

namespace stile {
namespace ops {

std::uint32_t bitsOf(double value, DType dtype) {
    switch (dtype) {
        case DType::complex64:
        case DType::float32: return std::bit_cast<std::uint32_t>(static_cast<float>(value));
        case DType::boolean: return value != 0 ? 1U : 0U;  // NaN is not 0
        case DType::string: throw Error(errc::wrong_dtype, fmt::format("the number {} as a string", value));
        case DType::int32: break;
    }
    if (!std::isfinite(value)) return 0;
    // Modulo 2^32, as the cast of a tensor.
    const double wrapped = std::fmod(std::trunc(value), 4294967296.0);
    return static_cast<std::uint32_t>(static_cast<std::int64_t>(wrapped));
}

}  // namespace ops

namespace {

/// Words as `ops::bitsOf` makes them as a leaf.
Tensor fromWords(const char* op, const Shape& shape, DType dtype, std::vector<std::uint32_t> words) {
    if (dtype != DType::complex64) return ops::onHost(op, shape, std::move(words), dtype);
    std::vector<std::complex<float>> numbers;
    numbers.reserve(words.size());
    for (const std::uint32_t word : words) numbers.emplace_back(std::bit_cast<float>(word));
    return ops::onHost(op, shape, std::move(numbers));
}

void measure(const Nested& values, std::vector<std::int64_t>& extents) {
    if (!values.isList()) return;
    extents.push_back(static_cast<std::int64_t>(values.items().size()));
    if (extents.size() > Shape::maxRank) ops::fail("tensor", "nested deeper than {}", Shape::maxRank);
    if (!values.items().empty()) measure(values.items().front(), extents);
}

/// The items in row-major order.
void flatten(const Nested& values, const Shape& shape, int depth, std::vector<const Nested*>& out) {
    if (!values.isList()) {
        if (depth != shape.rank()) ops::fail("tensor", "a number where a list of {} should be", toString(shape));
        out.push_back(&values);
        return;
    }
    if (depth >= shape.rank() || static_cast<std::int64_t>(values.items().size()) != shape[depth]) {
        ops::fail("tensor", "rows of different lengths: {} items at depth {} of shape {}", values.items().size(), depth,
                  toString(shape));
    }
    for (const Nested& item : values.items()) flatten(item, shape, depth + 1, out);
}

Tensor fromNested(const Nested& values, const DType* dtype) {
    std::vector<std::int64_t> extents;
    measure(values, extents);
    const Shape shape(extents);
    std::vector<const Nested*> items;
    flatten(values, shape, 0, items);
    const auto strings = std::ranges::count_if(items, &Nested::isString);
    if (strings > 0 || (dtype && *dtype == DType::string)) {
        if (std::cmp_not_equal(strings, items.size()) || (dtype && *dtype != DType::string)) {
            ops::fail("tensor", "{} strings among {} items", strings, items.size());
        }
        std::vector<std::string> texts;
        for (const Nested* item : items) texts.push_back(item->text());
        return ops::onHost("tensor", shape, std::move(texts));
    }
    const bool onlyBools = !items.empty() && std::ranges::all_of(items, &Nested::isBool);
    const DType type = dtype ? *dtype : onlyBools ? DType::boolean : DType::float32;
    std::vector<std::uint32_t> words;
    words.reserve(items.size());
    for (const Nested* item : items) words.push_back(ops::bitsOf(item->number(), type));
    return fromWords("tensor", shape, type, std::move(words));
}

/// Lists that are nested have to agree with the shape; only the last may go on over several axes.
Tensor reshaped(const Tensor& values, const Shape& shape) {
    bool fits = values.size() == shape.size() && values.rank() <= shape.rank() + 1;
    for (int axis = 0; fits && axis < values.rank() - 1; ++axis) fits = values.shape()[axis] == shape[axis];
    if (!fits)
        ops::fail("tensor", "{} values, nested as {}, for shape {}", values.size(), toString(values.shape()), toString(shape));
    return reshape(values, shape);
}

void expectSize(const Shape& shape, std::size_t count) {
    if (!std::cmp_equal(shape.size(), count)) ops::fail("tensor", "{} values for shape {}", count, toString(shape));
}

/// All but bools are in device layout already: the memory is taken over.
template <class T>
Tensor fromVector(std::vector<T> values, const Shape& shape) {
    expectSize(shape, values.size());
    return ops::onHost("tensor", shape, std::move(values));
}
template <class Bools>
Tensor fromBools(const Bools& values, const Shape& shape) {
    expectSize(shape, values.size());
    return fromWords("tensor", shape, DType::boolean, std::vector<std::uint32_t>(values.begin(), values.end()));
}
Tensor fromVector(const std::vector<bool>& values, const Shape& shape) { return fromBools(values, shape); }

}  // namespace

void detail::doesNotFitInt32(const std::string& number) { ops::fail("tensor", "{} does not fit int32", number); }

Tensor tensor(const Nested& values) { return fromNested(values, nullptr); }
Tensor tensor(const Nested& values, DType dtype) { return fromNested(values, &dtype); }

Tensor tensor(const Nested& values, const Shape& shape) { return reshaped(fromNested(values, nullptr), shape); }
Tensor tensor(const Nested& values, const Shape& shape, DType dtype) { return reshaped(fromNested(values, &dtype), shape); }
Tensor tensor(const std::vector<double>& values, const Shape& shape, DType dtype) {
    expectSize(shape, values.size());
    std::vector<std::uint32_t> words;
    words.reserve(values.size());
    for (const double value : values) words.push_back(ops::bitsOf(value, dtype));
    return fromWords("tensor", shape, dtype, std::move(words));
}

template <Element T>
Tensor tensor(std::vector<T> values) {
    const Shape shape{static_cast<std::int64_t>(values.size())};
    return fromVector(std::move(values), shape);
}
template <Element T>
Tensor tensor(std::vector<T> values, const Shape& shape) {
    return fromVector(std::move(values), shape);
}
template <Element T>
Tensor tensor(NdArray<T> values) {
    const auto flat = values.flat();
    if constexpr (std::is_same_v<T, bool>) {
        return fromBools(flat, values.shape());
    } else {
        auto owner = std::make_shared<NdArray<T>>(std::move(values));
        const auto bytes = std::as_bytes(std::as_const(*owner).flat());
        const Shape shape = owner->shape();
        return Tensor(detail::hostNode("tensor", shape, dtypeOf<T>, std::move(owner), bytes));
    }
}

template STILE_EXPORT Tensor tensor(std::vector<float>);
template STILE_EXPORT Tensor tensor(std::vector<std::int32_t>);
template STILE_EXPORT Tensor tensor(std::vector<bool>);
template STILE_EXPORT Tensor tensor(std::vector<std::complex<float>>);
template STILE_EXPORT Tensor tensor(std::vector<std::string>);
template STILE_EXPORT Tensor tensor(std::vector<float>, const Shape&);
template STILE_EXPORT Tensor tensor(std::vector<std::int32_t>, const Shape&);
template STILE_EXPORT Tensor tensor(std::vector<bool>, const Shape&);
template STILE_EXPORT Tensor tensor(std::vector<std::complex<float>>, const Shape&);
template STILE_EXPORT Tensor tensor(std::vector<std::string>, const Shape&);
template STILE_EXPORT Tensor tensor(NdArray<float>);
template STILE_EXPORT Tensor tensor(NdArray<std::int32_t>);
template STILE_EXPORT Tensor tensor(NdArray<bool>);
template STILE_EXPORT Tensor tensor(NdArray<std::complex<float>>);
template STILE_EXPORT Tensor tensor(NdArray<std::string>);

Tensor fill(const Shape& shape, double value, DType dtype) {
    if (dtype == DType::string)
        throw Error(errc::wrong_dtype, fmt::format("fill: {} as a string, shape {}", value, toString(shape)));
    if (dtype == DType::complex64) {
        return ops::onHost("fill", shape,
                           std::vector(static_cast<std::size_t>(shape.size()), std::complex(static_cast<float>(value))));
    }
    return Tensor(std::make_shared<detail::Node>(detail::prim::Fill{ops::bitsOf(value, dtype)}, "fill", shape, dtype, nullptr,
                                                 std::vector<detail::NodePtr>{}));
}
Tensor fill(const Shape& shape, const std::string& value) {
    return ops::onHost("fill", shape, std::vector(static_cast<std::size_t>(shape.size()), value));
}
Tensor scalar(const std::string& value) { return fill(Shape{}, value); }
Tensor scalar(double value, DType dtype) { return fill(Shape{}, value, dtype); }
Tensor zeros(const Shape& shape, DType dtype) { return fill(shape, 0, dtype); }
Tensor ones(const Shape& shape, DType dtype) { return fill(shape, 1, dtype); }
Tensor zerosLike(const Tensor& x) { return zeros(x.shape(), x.dtype()); }
Tensor onesLike(const Tensor& x) { return ones(x.shape(), x.dtype()); }
Tensor clone(const Tensor& x) { return x; }

Tensor range(double start, double stop, double step, DType dtype) {
    if (dtype == DType::boolean) throw Error(errc::wrong_dtype, "range: bool");
    if (!(step != 0) || !std::isfinite(start) || !std::isfinite(stop) || !std::isfinite(step)) {
        ops::fail("range", "start {}, stop {}, step {}", start, stop, step);
    }
    if (step == 1 && stop < start) step = -1;
    const double count = std::max(0.0, std::ceil((stop - start) / step));
    if (count > std::numeric_limits<std::int32_t>::max()) ops::fail("range", "{} elements", count);
    std::vector<std::uint32_t> words(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = ops::bitsOf(start + static_cast<double>(i) * step, dtype);
    const Shape shape{static_cast<std::int64_t>(words.size())};
    return fromWords("range", shape, dtype, std::move(words));
}

Tensor linspace(double start, double stop, std::int64_t count) {
    if (count < 1) ops::fail("linspace", "{} numbers", count);
    const Shape shape{count};
    std::vector<std::uint32_t> words(static_cast<std::size_t>(count));
    const double step = count > 1 ? (stop - start) / static_cast<double>(count - 1) : 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        words[i] = ops::bitsOf(start + static_cast<double>(i) * step, DType::float32);
    }
    if (count > 1) words.back() = ops::bitsOf(stop, DType::float32);
    return fromWords("linspace", shape, DType::float32, std::move(words));
}

Tensor eye(std::int64_t rows, std::int64_t columns, DType dtype) {
    if (columns < 0) columns = rows;
    const Shape shape = ops::shapeOf("eye", {rows, columns});
    std::vector<std::uint32_t> words(static_cast<std::size_t>(shape.size()), ops::bitsOf(0, dtype));
    for (std::int64_t i = 0; i < std::min(rows, columns); ++i) {
        words[static_cast<std::size_t>(i * columns + i)] = ops::bitsOf(1, dtype);
    }
    return fromWords("eye", shape, dtype, std::move(words));
}

Tensor eye(std::int64_t rows, std::int64_t columns, const Shape& batchShape, DType dtype) {
    const Tensor matrix = eye(rows, columns, dtype);
    std::vector<std::int64_t> extents = ops::extentsOf(batchShape);
    extents.insert(extents.end(), matrix.shape().begin(), matrix.shape().end());
    return broadcastTo(matrix, ops::shapeOf("eye", extents));
}

Tensor diag(const Tensor& x) {
    if (2 * x.rank() > Shape::maxRank) ops::fail("diag", "x {} is of a rank above {}", toString(x.shape()), Shape::maxRank / 2);
    std::vector<std::int64_t> extents = ops::extentsOf(x.shape());
    extents.insert(extents.end(), x.shape().begin(), x.shape().end());
    const Shape shape = ops::shapeOf("diag", extents);
    if (shape.size() <= 1) return reshape(x, shape);
    // With n zeros behind each but the last element, they lie n + 1 apart.
    const std::int64_t n = x.size();
    const Tensor spread = pad(reshape(slice(reshape(x, {n}), {0}, {n - 1}), {n - 1, 1}), {{0, 0}, {0, n}});
    return reshape(concat({reshape(spread, {n * n - 1}), slice(reshape(x, {n}), {n - 1})}), shape);
}

Tensor oneHot(const Tensor& indices, std::int64_t depth, const OneHotOptions& options) {
    ops::expect("oneHot", "indices", indices, DType::int32);
    if (depth < 2) ops::fail("oneHot", "depth {} below 2, indices {}", depth, toString(indices.shape()));
    std::vector<std::int64_t> extents = ops::extentsOf(indices.shape());
    extents.push_back(depth);
    (void)ops::shapeOf("oneHot", extents);
    const Tensor positions = range(0, static_cast<double>(depth), 1, DType::int32);
    return where(equal(expandDims(indices, -1), positions), scalar(options.onValue, options.dtype),
                 scalar(options.offValue, options.dtype));
}

}  // namespace stile
