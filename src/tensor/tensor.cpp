#include "stile/tensor.hpp"

#include <bit>

#include "stile/error.hpp"
#include "tensor/node.hpp"

namespace stile {
namespace {

Tensor scalarOf(DType dtype, std::uint32_t bits) {
    return Tensor(std::make_shared<detail::Node>(detail::prim::Fill{bits}, "scalar", Shape{}, dtype, nullptr,
                                                 std::vector<detail::NodePtr>{}));
}

}  // namespace

Tensor::Tensor()
    : node_(std::make_shared<detail::Node>(detail::prim::Fill{0}, "tensor", Shape{0}, DType::float32, nullptr,
                                           std::vector<detail::NodePtr>{})) {}

const Shape& Tensor::shape() const noexcept { return node_->shape; }
DType Tensor::dtype() const noexcept { return node_->dtype; }

Tensor Tensor::fromNumber(bool value) { return scalarOf(DType::boolean, value ? 1 : 0); }
Tensor Tensor::fromNumber(float value) { return scalarOf(DType::float32, std::bit_cast<std::uint32_t>(value)); }
Tensor Tensor::fromInteger(std::int64_t value, bool fits) {
    if (!fits) throw Error(errc::invalid_argument, "tensor: " + std::to_string(value) + " does not fit int32");
    return scalarOf(DType::int32, static_cast<std::uint32_t>(value));
}

}  // namespace stile
