#include "stile/create.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "ops/check.hpp"
#include "stile/ops/shape.hpp"

namespace stile {
namespace ops {

std::uint32_t bitsOf(double value, DType dtype) {
    switch (dtype) {
        case DType::float32: return std::bit_cast<std::uint32_t>(static_cast<float>(value));
        case DType::boolean: return value != 0 ? 1U : 0U;  // NaN is not 0
        case DType::int32: break;
    }
    if (!std::isfinite(value)) return 0;
    // Modulo 2^32, as the cast of a tensor.
    const double wrapped = std::fmod(std::trunc(value), 4294967296.0);
    return static_cast<std::uint32_t>(static_cast<std::int64_t>(wrapped));
}

}  // namespace ops

namespace {

/// Words in device layout as a leaf.
Tensor fromWords(const char* op, const Shape& shape, DType dtype, std::vector<std::uint32_t> words) {
    auto owner = std::make_shared<std::vector<std::uint32_t>>(std::move(words));
    const auto bytes = std::as_bytes(std::span<const std::uint32_t>(*owner));
    return Tensor(detail::hostNode(op, shape, dtype, std::move(owner), bytes));
}

void measure(const Nested& values, std::vector<std::int64_t>& extents) {
    if (!values.isList()) return;
    extents.push_back(static_cast<std::int64_t>(values.items().size()));
    if (extents.size() > Shape::maxRank) ops::fail("tensor", "nested deeper than {}", Shape::maxRank);
    if (!values.items().empty()) measure(values.items().front(), extents);
}

void flatten(const Nested& values, const Shape& shape, int depth, std::vector<double>& out, bool& onlyBools) {
    if (!values.isList()) {
        if (depth != shape.rank()) ops::fail("tensor", "a number where a list of {} should be", toString(shape));
        onlyBools = onlyBools && values.isBool();
        out.push_back(values.number());
        return;
    }
    if (depth >= shape.rank() || static_cast<std::int64_t>(values.items().size()) != shape[depth]) {
        ops::fail("tensor", "rows of different lengths: {} items at depth {} of shape {}", values.items().size(), depth,
                  toString(shape));
    }
    for (const Nested& item : values.items()) flatten(item, shape, depth + 1, out, onlyBools);
}

Tensor fromNested(const Nested& values, const DType* dtype) {
    std::vector<std::int64_t> extents;
    measure(values, extents);
    const Shape shape(extents);
    std::vector<double> numbers;
    bool onlyBools = shape.size() > 0;
    flatten(values, shape, 0, numbers, onlyBools);
    const DType type = dtype ? *dtype : onlyBools ? DType::boolean : DType::float32;
    std::vector<std::uint32_t> words;
    words.reserve(numbers.size());
    for (const double number : numbers) words.push_back(ops::bitsOf(number, type));
    return fromWords("tensor", shape, type, std::move(words));
}

void expectSize(const Shape& shape, std::size_t count) {
    if (!std::cmp_equal(shape.size(), count)) ops::fail("tensor", "{} values for shape {}", count, toString(shape));
}

/// float and int32 are in device layout already: the memory is taken over.
template <class T>
Tensor fromVector(std::vector<T> values, const Shape& shape) {
    expectSize(shape, values.size());
    auto owner = std::make_shared<std::vector<T>>(std::move(values));
    const auto bytes = std::as_bytes(std::span<const T>(*owner));
    return Tensor(detail::hostNode("tensor", shape, dtypeOf<T>, std::move(owner), bytes));
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

Tensor tensor(const Nested& values, const Shape& shape) {
    const Tensor flat = fromNested(values, nullptr);
    if (flat.size() != shape.size()) ops::fail("tensor", "{} values for shape {}", flat.size(), toString(shape));
    return reshape(flat, shape);
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
template STILE_EXPORT Tensor tensor(std::vector<float>, const Shape&);
template STILE_EXPORT Tensor tensor(std::vector<std::int32_t>, const Shape&);
template STILE_EXPORT Tensor tensor(std::vector<bool>, const Shape&);
template STILE_EXPORT Tensor tensor(NdArray<float>);
template STILE_EXPORT Tensor tensor(NdArray<std::int32_t>);
template STILE_EXPORT Tensor tensor(NdArray<bool>);

Tensor fill(const Shape& shape, double value, DType dtype) {
    return Tensor(std::make_shared<detail::Node>(detail::prim::Fill{ops::bitsOf(value, dtype)}, "fill", shape, dtype, nullptr,
                                                 std::vector<detail::NodePtr>{}));
}
Tensor scalar(double value, DType dtype) { return fill(Shape{}, value, dtype); }
Tensor zeros(const Shape& shape, DType dtype) { return fill(shape, 0, dtype); }
Tensor ones(const Shape& shape, DType dtype) { return fill(shape, 1, dtype); }
Tensor zerosLike(const Tensor& x) { return zeros(x.shape(), x.dtype()); }
Tensor onesLike(const Tensor& x) { return ones(x.shape(), x.dtype()); }

Tensor range(double start, double stop, double step, DType dtype) {
    if (dtype == DType::boolean) throw Error(errc::wrong_dtype, "range: bool");
    if (!(step != 0) || !std::isfinite(start) || !std::isfinite(stop) || !std::isfinite(step)) {
        ops::fail("range", "start {}, stop {}, step {}", start, stop, step);
    }
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

}  // namespace stile
