#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/launch.hpp"
#include "stile/dtype.hpp"
#include "stile/shape.hpp"
#include "tensor/elementwise.hpp"

namespace stile::kernels {

/// A fused chain of element-wise operations over one index space: what the engine gathers and a kernel computes.
struct Expression {
    /// Something that is read: a buffer, or a number known on the host.
    struct Leaf {
        std::shared_ptr<gl::Buffer> buffer{};  ///< null for a number, and for what the kernel itself has computed
        std::uint32_t bits = 0;                ///< the number
        DType dtype{};
        Shape shape{};     ///< broadcasts to the expression's
        bool own = false;  ///< what the kernel itself has computed at that place
    };
    /// A row of the table applied to operands: steps before it (0, 1, …) or leaves (-1 for the first, -2, …).
    struct Step {
        detail::Op op{};
        std::array<int, 3> operands{};
        std::array<float, 2> params{};
        DType computed{}, result{};
    };

    Shape shape{};
    std::vector<Leaf> leaves{};
    std::vector<Step> steps{};  ///< the last is the result; if there is none, the first leaf is

    [[nodiscard]] DType dtype() const { return steps.empty() ? leaves.front().dtype : steps.back().result; }
};

/// The GLSL type in which values of a dtype are computed: "float" or "int".
[[nodiscard]] const char* scalarType(DType dtype);

/// GLSL of the functions that compute an expression, and the buffers that they read.
struct Generated {
    std::string code;
    std::vector<Binding> inputs;
};

/// Generates `element(i)`, the value at a position of the index space. Buffers of the expression's own shape are seen in the part
/// that is asked for alone, if it is not the whole.
[[nodiscard]] Generated generateElement(const Expression& expression, Part part, Params& params);
/// Generates `quad(q)`, the values at the positions 4 q … 4 q + 3 of the part as a vector; buffers of the expression's own shape
/// are read as vectors. With a leaf of the kernel's own it is `quad(q, own)`. The kernel has `inputsBefore` of its own.
[[nodiscard]] Generated generateQuad(const Expression& expression, Part part, Params& params, std::size_t inputsBefore = 0);
/// The expression with a buffer in place of the leaf that is the kernel's own.
[[nodiscard]] Expression withOwn(Expression expression, const std::shared_ptr<gl::Buffer>& buffer);
/// Whether each buffer can be read at once.
[[nodiscard]] bool isReadable(const gl::Driver& driver, const Expression& expression);

}  // namespace stile::kernels
