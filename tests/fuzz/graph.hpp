#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <stile/tensor.hpp>

/// Random graphs of operations, as data: they can be computed on any device, cut down and printed.
namespace fuzz {

/// Where choices come from.
class Draw {
  public:
    explicit Draw(std::uint64_t seed) : engine_(seed) {}
    /// 0 … count - 1.
    [[nodiscard]] std::size_t below(std::size_t count) {
        return std::uniform_int_distribution<std::size_t>(0, count - 1)(engine_);
    }
    /// low … high.
    [[nodiscard]] std::int64_t between(std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution<std::int64_t>(low, high)(engine_);
    }
    [[nodiscard]] bool oneIn(std::size_t n) { return below(n) == 0; }
    template <class T>
    [[nodiscard]] const T& of(const std::vector<T>& list) {
        return list[below(list.size())];
    }

  private:
    std::mt19937_64 engine_;
};

/// Values on the host; complex64 has two numbers for each element.
struct Value {
    stile::Shape shape{};
    stile::DType dtype = stile::DType::float32;
    std::vector<double> data{};

    [[nodiscard]] int rank() const { return shape.rank(); }
    [[nodiscard]] bool isFloat() const { return dtype == stile::DType::float32; }
    [[nodiscard]] bool isInt() const { return dtype == stile::DType::int32; }
    [[nodiscard]] bool isBool() const { return dtype == stile::DType::boolean; }
    [[nodiscard]] bool isComplex() const { return dtype == stile::DType::complex64; }
    /// The largest magnitude among the finite ones.
    [[nodiscard]] double most() const;
    /// The smallest magnitude.
    [[nodiscard]] double least() const;
    [[nodiscard]] double lowest() const;
    [[nodiscard]] double highest() const;
    [[nodiscard]] bool finite() const;
    /// Multiples of 1/256 up to 65,536 (and NaN and infinities): sums and products are exact there in any order.
    [[nodiscard]] bool onGrid() const;
};

[[nodiscard]] stile::Tensor tensorOf(const Value& x);
/// Blocks.
[[nodiscard]] Value valueOf(const stile::Tensor& x);

using Tensors = std::vector<stile::Tensor>;

/// What an operand is known to be. Devices may differ from `value` by `error` in each element, and by nothing if that is 0.
struct Operand {
    const Value& value;
    double error;
};

/// An operation with its arguments drawn.
struct Call {
    std::string arguments{};  ///< for the reader
    std::function<Tensors(const Tensors&)> run{};
    double error = 0;        ///< how far the results may be apart because the operands are
    double ulps = 2;         ///< and because of rounding, in units of the largest result
    bool continuous = true;  ///< otherwise only exact results are kept
};
/// None if the operands do not fit.
using Draft = std::optional<Call>;

struct Operation {
    std::string_view name;
    std::size_t operands;
    Draft (*draft)(Draw&, const std::vector<Operand>&);
};

/// Every operation that is drawn from, by family.
[[nodiscard]] std::span<const Operation> pointwise();
[[nodiscard]] std::span<const Operation> moves();
[[nodiscard]] std::span<const Operation> folds();
[[nodiscard]] std::span<const Operation> windows();
[[nodiscard]] std::span<const Operation> volumes();
[[nodiscard]] std::span<const Operation> orders();
[[nodiscard]] std::span<const Operation> blocks();

/// All of them.
[[nodiscard]] const std::vector<Operation>& allOperations();

/// A step of a graph: a leaf, or an operation on results of earlier steps.
struct Step {
    struct Result {
        std::size_t step = 0, output = 0;
    };
    std::string_view name{};
    Call call{};
    std::vector<Result> operands{};
    std::vector<Value> values{};  ///< what it gives; a leaf's one is given
    double error = 0;

    [[nodiscard]] bool isLeaf() const { return !call.run; }
};

/// Steps in order.
using Graph = std::vector<Step>;

/// Computes on the default device what the steps give, recording all before anything is asked for.
[[nodiscard]] std::vector<Tensors> record(const Graph& graph);
/// A graph of about so many steps, with the values that the default device gives.
[[nodiscard]] Graph grow(Draw& draw, std::size_t steps);
/// What is written of a graph whose result is wrong.
[[nodiscard]] std::string toString(const Graph& graph);

}  // namespace fuzz
