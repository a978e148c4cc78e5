#pragma once

#include <memory>
#include <span>

#include "gl/gpu.hpp"
#include "kernels/expression.hpp"
#include "tensor/primitive.hpp"

/// One function for each primitive: which programs, their sizes, their dispatches. All on the GL executor; arguments are
/// checked before. Outputs have at least one element.
namespace stile::kernels {

/// A tensor on the device.
struct Operand {
    std::shared_ptr<gl::Buffer> buffer;
    Shape shape;
    DType dtype{};
};

using Operands = std::span<const Operand>;
namespace prim = detail::prim;

void elementwise(gl::Gpu& gpu, const Expression& expression, const Operand& out);
/// Over an expression of at least one element.
void reduce(gl::Gpu& gpu, const prim::Reduce& what, const Expression& expression, const Operand& out);

/// With an epilogue, the result is what that makes of the product, in the memory of `out`: one of its leaves is the product itself.
void run(gl::Gpu& gpu, const prim::MatMul& what, Operands in, const Operand& out, const Expression* epilogue = nullptr);
void run(gl::Gpu& gpu, const prim::Conv2d& what, Operands in, const Operand& out, const Expression* epilogue = nullptr);
void run(gl::Gpu& gpu, const prim::DepthwiseConv2d& what, Operands in, const Operand& out);
void run(gl::Gpu& gpu, const prim::Pool& what, Operands in, const Operand& out);
void run(gl::Gpu& gpu, const prim::Strided& what, Operands in, const Operand& out);
void run(gl::Gpu& gpu, const prim::Pad& what, Operands in, const Operand& out);
void run(gl::Gpu& gpu, const prim::Concat& what, Operands in, const Operand& out);
void run(gl::Gpu& gpu, const prim::Gather& what, Operands in, const Operand& out);
void run(gl::Gpu& gpu, const prim::Scan& what, Operands in, const Operand& out);
void run(gl::Gpu& gpu, const prim::Scatter& what, Operands in, const Operand& out);
void run(gl::Gpu& gpu, const prim::Sort& what, Operands in, const Operand& out);
void run(gl::Gpu& gpu, const prim::Search& what, Operands in, const Operand& out);
void run(gl::Gpu& gpu, const prim::Resize& what, Operands in, const Operand& out);
void run(gl::Gpu& gpu, const prim::Random& what, Operands in, const Operand& out);
void run(gl::Gpu& gpu, const prim::Fft& what, Operands in, const Operand& out);

}  // namespace stile::kernels
