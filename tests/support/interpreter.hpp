#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include <stile/dtype.hpp>
#include <stile/shape.hpp>

/// The operations once more, written plainly on the host: loops over coordinates, numbers in double. It shares nothing with
/// the library but shapes and dtypes, so that what both agree on is right.
namespace test::plain {

/// A tensor: int32 and bool are whole numbers here.
struct Value {
    stile::Shape shape{};
    stile::DType dtype = stile::DType::float32;
    std::vector<double> data{};
};

using Coordinates = std::vector<std::int64_t>;
using Unary = std::function<double(double)>;
using Binary = std::function<double(double, double)>;

/// Modulo 2^32, as int32.
[[nodiscard]] double wrapped(std::int64_t value);

[[nodiscard]] Value map(const Value& x, stile::DType dtype, const Unary& f);
[[nodiscard]] Value map(const Value& a, const Value& b, stile::DType dtype, const Binary& f);
[[nodiscard]] Value where(const Value& condition, const Value& a, const Value& b);
[[nodiscard]] Value cast(const Value& x, stile::DType dtype);

/// Folds f over the axes whose bits are set, starting from `first`.
[[nodiscard]] Value reduce(const Value& x, std::uint32_t axes, bool keepDims, double first, const Binary& f);
/// The index of the first element along the axis that `better` prefers to all before it.
[[nodiscard]] Value arg(const Value& x, int axis, const std::function<bool(double, double)>& better);

[[nodiscard]] Value matMul(const Value& a, const Value& b);
[[nodiscard]] Value reshape(const Value& x, const stile::Shape& shape);
[[nodiscard]] Value transpose(const Value& x, const std::vector<int>& permutation);
[[nodiscard]] Value slice(const Value& x, const Coordinates& begin, const Coordinates& size);
[[nodiscard]] Value reverse(const Value& x, std::uint32_t axes);
[[nodiscard]] Value tile(const Value& x, const Coordinates& repeats);
[[nodiscard]] Value pad(const Value& x, const std::vector<std::pair<std::int64_t, std::int64_t>>& paddings, double value);
[[nodiscard]] Value concat(const std::vector<Value>& parts, int axis);
/// Along one axis, by a list of indices; outside gives 0.
[[nodiscard]] Value gather(const Value& x, const std::vector<std::int32_t>& indices, int axis);

}  // namespace test::plain
