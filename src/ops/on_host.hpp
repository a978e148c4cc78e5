#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "stile/detail/waiter.hpp"
#include "stile/tensor.hpp"
#include "tensor/node.hpp"

/// Values that operations read and make on the host.
namespace stile::ops {

/// The elements of a tensor whose values are on the host: of every string tensor.
template <Element T>
[[nodiscard]] std::span<const T> elementsOf(const Tensor& x) {
    return detail::elementsOf<T>(x.node()->host->bytes);
}

/// A leaf that takes the values; of bools as int32s that are 0 or 1 (then `dtype` says so). Bound to `home`, if any.
template <class T>
[[nodiscard]] Tensor onHost(const char* op, const Shape& shape, std::vector<T> values, DType dtype = dtypeOf<T>,
                            const detail::HomePtr& home = nullptr) {
    auto owner = std::make_shared<std::vector<T>>(std::move(values));
    const auto bytes = std::as_bytes(std::span<const T>(*owner));
    return Tensor(detail::hostNode(op, shape, dtype, std::move(owner), bytes, home));
}

/// The same with rank 1.
template <class T>
[[nodiscard]] Tensor listOnHost(const char* op, std::vector<T> values, const detail::HomePtr& home) {
    const Shape shape{static_cast<std::int64_t>(values.size())};
    return onHost(op, shape, std::move(values), dtypeOf<T>, home);
}

/// The home of the first that has one: what is computed from them on the host belongs there.
[[nodiscard]] inline detail::HomePtr homeOf(const std::vector<Tensor>& tensors) {
    for (const Tensor& x : tensors) {
        if (x.node()->home) return x.node()->home;
    }
    return nullptr;
}

}  // namespace stile::ops
