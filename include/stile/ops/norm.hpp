#pragma once

#include <concepts>

#include <stile/export.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

/// Which norm: a number p (±∞ too), or the Euclidean one.
class NormOrder {
  public:
    /// √Σ|x|²: of a vector as p = 2, of a matrix the Frobenius norm.
    enum Named { euclidean, fro };

    /// The norm of this name.
    constexpr NormOrder(Named name) : matrix_(name == fro) {}
    /// The p-norm.
    template <class Number>
        requires std::integral<Number> || std::floating_point<Number>
    constexpr NormOrder(Number p) : p_(static_cast<double>(p)), isNumber_(true) {}

    /// p, 2 for a name.
    [[nodiscard]] constexpr double p() const noexcept { return p_; }
    /// Whether it was given as a number.
    [[nodiscard]] constexpr bool isNumber() const noexcept { return isNumber_; }
    /// Whether it is for matrices only.
    [[nodiscard]] constexpr bool isForMatrices() const noexcept { return matrix_; }

  private:
    double p_ = 2;
    bool isNumber_ = false;
    bool matrix_ = false;
};

/// The norm of the vectors along one axis, of the matrices of two axes, or of all elements as one vector if no axis is named.
/// float32. Of vectors, for any p: (Σ|x|^p)^(1/p), the largest |x| for ∞, the smallest for -∞, the number of elements that are not
/// 0 for 0. Of matrices with axes {rows, columns}: 1 and ∞ the largest sum of |x| over a column or a row, -1 and -∞ the smallest,
/// `fro` and `euclidean` the root of the sum of squares (Golub and Van Loan, "Matrix computations", §2.3). Of a scalar |x|.
/// \throws Error `invalid_argument` for more than two axes, another number for matrices, `fro` for vectors.
[[nodiscard]] Tensor norm(const Tensor& x, NormOrder order = NormOrder::euclidean, const Axes& axes = {},
                          bool keepDims = false);
/// The root of the sum of squares; see `norm`.
[[nodiscard]] Tensor euclideanNorm(const Tensor& x, const Axes& axes = {}, bool keepDims = false);

}  // namespace stile
