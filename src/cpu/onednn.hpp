#pragma once

#include <memory>

#include "cpu/step.hpp"

namespace stile::cpu {

/// What oneDNN computes, float32 only. Built without it, it computes nothing (no_onednn/).
class OneDnn {
  public:
    OneDnn();
    ~OneDnn();
    OneDnn(const OneDnn&) = delete;
    OneDnn& operator=(const OneDnn&) = delete;

    // The steps; none where a shader has to do it.

    [[nodiscard]] Steps prepare(const prim::MatMul& what, Operands in, const Operand& out);
    [[nodiscard]] Steps prepare(const prim::Conv2d& what, Operands in, const Operand& out);
    [[nodiscard]] Steps prepare(const prim::DepthwiseConv2d& what, Operands in, const Operand& out);

  private:
    /// Convolutions that have been made: making one takes as long as a small one runs.
    struct Made;
    std::unique_ptr<Made> made_;
};

}  // namespace stile::cpu
