#pragma once

#include <memory>

#include "cpu/onednn.hpp"
#include "cpu/step.hpp"
#include "tensor/primitive.hpp"

/// Kernels that run on the CPU, straight on the memory of tensors, where the renderer is the CPU: there they need no shader to be
/// fast. On the GL executor, in the order of GL's own commands.
namespace stile::cpu {

class Kernels {
  public:
    /// STILE_HOST_KERNELS=0, or `on` false: there are none.
    explicit Kernels(bool on);

    /// The steps that compute a primitive. None if there is no such kernel, or if a buffer is not mapped: then a shader does it. The
    /// steps keep the buffers alive.
    [[nodiscard]] Steps prepare(const detail::Primitive& what, Operands in, const Operand& out);

  private:
    bool on_;
    OneDnn oneDnn_;
};

}  // namespace stile::cpu
