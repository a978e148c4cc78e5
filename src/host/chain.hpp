#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "host/elements.hpp"
#include "kernels/expression.hpp"

namespace stile::host {

/// Computes the elements of an expression one by one.
class Chain {
  public:
    /// See host::elementwise. Both arguments must outlive it.
    Chain(const kernels::Expression& expression, std::span<const std::byte* const> leaves);

    /// The element at a position of the index space, as bits of the expression's dtype.
    [[nodiscard]] Word at(std::int64_t i);

  private:
    [[nodiscard]] Word leafAt(std::size_t leaf, std::int64_t i) const;
    [[nodiscard]] Word operandOf(const kernels::Expression::Step& step, std::size_t k) const;

    const kernels::Expression& expression_;
    std::span<const std::byte* const> leaves_;
    std::vector<Word> loaded_;    ///< the leaves' elements at the position
    std::vector<Word> computed_;  ///< the steps' results there
};

}  // namespace stile::host
