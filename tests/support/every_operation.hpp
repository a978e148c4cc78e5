#pragma once

#include <functional>

#include <stile/tensor.hpp>

namespace test {

/// Records every public operation in all its forms: every shader file in every variant of its defines, and every row of the
/// element-wise table. Hands each result over.
void everyOperation(const std::function<void(const stile::Tensor&)>& get);
/// Products and convolutions that are worth the larger kernels: a part of everyOperation.
void everyLargeProduct(const std::function<void(const stile::Tensor&)>& get);

}  // namespace test
