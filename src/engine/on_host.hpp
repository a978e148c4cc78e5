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

/// The memory that a kernel touches, as it is named to such a GL: what it is to read and to write without holding the tensors' buffers.
struct HostMemory {
    std::vector<GLuint> buffers{};
    std::vector<host::Operand> operands{};  ///< their places are known when the dispatch is done

    void add(kernels::Operands in) {
        for (const kernels::Operand& operand : in) {
            buffers.push_back(operand.buffer->name());
            operands.push_back({nullptr, operand.shape, operand.dtype});
        }
    }
    /// Names the leaves' buffers; returns the expression without them.
    [[nodiscard]] kernels::Expression add(kernels::Expression expression) {
        for (kernels::Expression::Leaf& leaf : expression.leaves) {
            buffers.push_back(leaf.buffer ? leaf.buffer->name() : 0);
            leaf.buffer.reset();
        }
        return expression;
    }
};

/// A kernel of an expression; `compute` gets the leaves' memory and the result's place.
template <class Compute>
void onHost(gl::Gpu& gpu, const kernels::Expression& expression, const kernels::Operand& out, Compute compute) {
    if (!gpu.hostKernel || gpu.rehearsals) return;
    HostMemory memory;
    kernels::Expression own = memory.add(expression);
    memory.buffers.push_back(out.buffer->name());
    gpu.hostKernel(
        [own = std::move(own), shape = out.shape, dtype = out.dtype, compute](std::span<std::byte* const> places) {
            const std::vector<const std::byte*> leaves(places.begin(), places.end() - 1);
            compute(own, leaves, host::Operand{places.back(), shape, dtype});
        },
        memory.buffers);
}

/// A kernel of whole operands.
template <class What>
void onHost(gl::Gpu& gpu, const What& what, kernels::Operands in, const kernels::Operand& out) {
    if (!gpu.hostKernel || gpu.rehearsals) return;
    HostMemory memory;
    memory.add(in);
    memory.buffers.push_back(out.buffer->name());
    gpu.hostKernel(
        [what, operands = std::move(memory.operands), shape = out.shape,
         dtype = out.dtype](std::span<std::byte* const> places) mutable {
            for (std::size_t i = 0; i < operands.size(); ++i) operands[i].data = places[i];
            host::run(what, operands, host::Operand{places.back(), shape, dtype});
        },
        memory.buffers);
}

/// A kernel of whole operands that gives `own`, of which an expression makes the result.
template <class What>
void onHost(gl::Gpu& gpu, const What& what, kernels::Operands in, const kernels::Operand& own,
            const kernels::Expression& epilogue, const kernels::Operand& out) {
    if (!gpu.hostKernel || gpu.rehearsals) return;
    HostMemory memory;
    memory.add(in);
    kernels::Expression last = memory.add(epilogue);
    memory.buffers.push_back(out.buffer->name());
    gpu.hostKernel(
        [what, operands = std::move(memory.operands), last = std::move(last), first = own.shape, firstType = own.dtype,
         shape = out.shape, dtype = out.dtype](std::span<std::byte* const> places) mutable {
            for (std::size_t i = 0; i < operands.size(); ++i) operands[i].data = places[i];
            std::vector<std::byte> product(static_cast<std::size_t>(first.size()) * 4);
            host::run(what, operands, host::Operand{product.data(), first, firstType});
            std::vector<const std::byte*> leaves(places.begin() + static_cast<std::ptrdiff_t>(operands.size()),
                                                 places.end() - 1);
            for (std::size_t i = 0; i < leaves.size(); ++i) {
                if (last.leaves[i].own) leaves[i] = product.data();
            }
            host::elementwise(last, leaves, host::Operand{places.back(), shape, dtype});
        },
        memory.buffers);
}

}  // namespace stile::engine
