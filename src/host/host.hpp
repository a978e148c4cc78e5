#pragma once

#include <cstddef>
#include <span>

#include "kernels/expression.hpp"
#include "stile/dtype.hpp"
#include "stile/shape.hpp"
#include "tensor/primitive.hpp"

/// One function for each primitive, as in src/kernels, but computed by the CPU in host memory: what a device gives that has no
/// GPU. Written for being right, not for being fast. Arguments are checked before; outputs have at least one element. Sums of floats
/// are added up in double.
namespace stile::host {

/// A tensor in host memory, four bytes an element: float, int32, bool as an int32 that is 0 or 1.
struct Operand {
    std::byte* data = nullptr;
    Shape shape{};
    DType dtype{};
};

using Operands = std::span<const Operand>;
namespace prim = detail::prim;

/// `leaves` are the elements of the expression's leaves, in their order; null where a leaf is a number.
void elementwise(const kernels::Expression& expression, std::span<const std::byte* const> leaves, const Operand& out);
/// Over an expression of at least one element.
void reduce(const prim::Reduce& what, const kernels::Expression& expression, std::span<const std::byte* const> leaves,
            const Operand& out);

void run(const prim::MatMul& what, Operands in, const Operand& out);
void run(const prim::Conv2d& what, Operands in, const Operand& out);
void run(const prim::DepthwiseConv2d& what, Operands in, const Operand& out);
void run(const prim::Pool& what, Operands in, const Operand& out);
void run(const prim::Strided& what, Operands in, const Operand& out);
void run(const prim::Pad& what, Operands in, const Operand& out);
void run(const prim::Concat& what, Operands in, const Operand& out);
void run(const prim::Gather& what, Operands in, const Operand& out);
void run(const prim::Scan& what, Operands in, const Operand& out);
void run(const prim::Scatter& what, Operands in, const Operand& out);
void run(const prim::Sort& what, Operands in, const Operand& out);
void run(const prim::Search& what, Operands in, const Operand& out);
void run(const prim::Resize& what, Operands in, const Operand& out);
void run(const prim::Random& what, Operands in, const Operand& out);
void run(const prim::Fft& what, Operands in, const Operand& out);

}  // namespace stile::host
