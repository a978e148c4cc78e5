#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

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

/// A kernel of whole operands that gives `own`, of which an expression makes the result.
template <class What>
void onHost(gl::Gpu& gpu, const What& what, kernels::Operands in, const kernels::Operand& own,
            const kernels::Expression& epilogue, const kernels::Operand& out) {
    if (!gpu.hostKernel || gpu.rehearsals) return;
    std::vector<GLuint> buffers;
    std::vector<host::Operand> operands;
    for (const kernels::Operand& operand : in) {
        buffers.push_back(operand.buffer->name());
        operands.push_back({nullptr, operand.shape, operand.dtype});
    }
    kernels::Expression last = epilogue;
    for (kernels::Expression::Leaf& leaf : last.leaves) {
        buffers.push_back(leaf.buffer ? leaf.buffer->name() : 0);
        leaf.buffer.reset();
    }
    buffers.push_back(out.buffer->name());
    gpu.hostKernel(
        [what, operands = std::move(operands), last = std::move(last), first = own.shape, firstType = own.dtype,
         shape = out.shape, dtype = out.dtype](std::span<std::byte* const> memory) mutable {
            for (std::size_t i = 0; i < operands.size(); ++i) operands[i].data = memory[i];
            std::vector<std::byte> product(static_cast<std::size_t>(first.size()) * 4);
            host::run(what, operands, host::Operand{product.data(), first, firstType});
            std::vector<const std::byte*> leaves(memory.begin() + static_cast<std::ptrdiff_t>(operands.size()),
                                                 memory.end() - 1);
            for (std::size_t i = 0; i < leaves.size(); ++i) {
                if (last.leaves[i].own) leaves[i] = product.data();
            }
            host::elementwise(last, leaves, host::Operand{memory.back(), shape, dtype});
        },
        buffers);
}

}  // namespace stile::engine
