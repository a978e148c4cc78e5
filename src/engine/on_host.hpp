#pragma once

#include <span>

#include "gl/gpu.hpp"
#include "host/host.hpp"
#include "kernels/kernels.hpp"

/// What the next dispatch is to compute, said to a GL that has no shaders. Does nothing with a driver.
namespace stile::engine {

/// A kernel of an expression; `compute` gets the leaves' memory and the result's place.
template <class Compute>
void onHost(gl::Gpu& gpu, const kernels::Expression& expression, const kernels::Operand& out, Compute compute) {
    if (!gpu.hostKernel || gpu.rehearsals) return;
    std::vector<GLuint> buffers;
    kernels::Expression own = expression;
    for (kernels::Expression::Leaf& leaf : own.leaves) {
        buffers.push_back(leaf.buffer ? leaf.buffer->name() : 0);
        leaf.buffer.reset();  // the dispatch holds the memory, not the tensor's buffer
    }
    buffers.push_back(out.buffer->name());
    gpu.hostKernel(
        [own = std::move(own), shape = out.shape, dtype = out.dtype, compute](std::span<std::byte* const> memory) {
            const std::vector<const std::byte*> leaves(memory.begin(), memory.end() - 1);
            compute(own, leaves, host::Operand{memory.back(), shape, dtype});
        },
        buffers);
}

/// A kernel of whole operands.
template <class What>
void onHost(gl::Gpu& gpu, const What& what, kernels::Operands in, const kernels::Operand& out) {
    if (!gpu.hostKernel || gpu.rehearsals) return;
    std::vector<GLuint> buffers;
    std::vector<host::Operand> operands;
    for (const kernels::Operand& operand : in) {
        buffers.push_back(operand.buffer->name());
        operands.push_back({nullptr, operand.shape, operand.dtype});
    }
    buffers.push_back(out.buffer->name());
    gpu.hostKernel(
        [what, operands = std::move(operands), shape = out.shape,
         dtype = out.dtype](std::span<std::byte* const> memory) mutable {
            for (std::size_t i = 0; i < operands.size(); ++i) operands[i].data = memory[i];
            host::run(what, operands, host::Operand{memory.back(), shape, dtype});
        },
        buffers);
}

}  // namespace stile::engine
