#include "stile/ops.hpp"
#include "stile/tensor.hpp"

// The members of Tensor that are free functions too.
namespace stile {

Tensor Tensor::cast(DType dtype) const { return stile::cast(*this, dtype); }
Tensor Tensor::reshape(const std::vector<std::int64_t>& extents) const { return stile::reshape(*this, extents); }
Tensor Tensor::flatten() const { return stile::reshape(*this, Shape{size()}); }
Tensor Tensor::transpose(const std::vector<int>& permutation) const { return stile::transpose(*this, permutation); }
Tensor Tensor::slice(const std::vector<std::int64_t>& begin, const std::vector<std::int64_t>& size) const {
    return stile::slice(*this, begin, size);
}
Tensor Tensor::expandDims(int axis) const { return stile::expandDims(*this, axis); }
Tensor Tensor::squeeze(const Axes& axes) const { return stile::squeeze(*this, axes); }
Tensor Tensor::matMul(const Tensor& b, bool transposeA, bool transposeB) const {
    return stile::matMul(*this, b, transposeA, transposeB);
}
Tensor Tensor::add(const Tensor& b) const { return stile::add(*this, b); }
Tensor Tensor::sub(const Tensor& b) const { return stile::sub(*this, b); }
Tensor Tensor::mul(const Tensor& b) const { return stile::mul(*this, b); }
Tensor Tensor::div(const Tensor& b) const { return stile::div(*this, b); }
Tensor Tensor::pow(const Tensor& b) const { return stile::pow(*this, b); }
Tensor Tensor::neg() const { return stile::neg(*this); }
Tensor Tensor::abs() const { return stile::abs(*this); }
Tensor Tensor::exp() const { return stile::exp(*this); }
Tensor Tensor::log() const { return stile::log(*this); }
Tensor Tensor::sqrt() const { return stile::sqrt(*this); }
Tensor Tensor::square() const { return stile::square(*this); }
Tensor Tensor::relu() const { return stile::relu(*this); }
Tensor Tensor::sigmoid() const { return stile::sigmoid(*this); }
Tensor Tensor::tanh() const { return stile::tanh(*this); }
Tensor Tensor::softmax(int axis) const { return stile::softmax(*this, axis); }
Tensor Tensor::sum(const Axes& axes, bool keepDims) const { return stile::sum(*this, axes, keepDims); }
Tensor Tensor::mean(const Axes& axes, bool keepDims) const { return stile::mean(*this, axes, keepDims); }
Tensor Tensor::max(const Axes& axes, bool keepDims) const { return stile::max(*this, axes, keepDims); }
Tensor Tensor::min(const Axes& axes, bool keepDims) const { return stile::min(*this, axes, keepDims); }
Tensor Tensor::argMax(int axis) const { return stile::argMax(*this, axis); }

}  // namespace stile
