#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "kernels/kernels.hpp"

namespace stile::kernels {
namespace {

/// How a reduction combines, in float and in int.
struct Rule {
    prim::Reduction kind;
    std::string_view identity, integerIdentity, combine, integerCombine;
};

constexpr std::array rules{
    Rule{prim::Reduction::sum, "0.0", "0", "(a) + (b)", "(a) + (b)"},
    Rule{prim::Reduction::mean, "0.0", "0", "(a) + (b)", "(a) + (b)"},
    Rule{prim::Reduction::prod, "1.0", "1", "(a) * (b)", "(a) * (b)"},
    Rule{prim::Reduction::max, "(-st_inf())", "(-2147483647 - 1)", "st_max(a, b)", "max(a, b)"},
    Rule{prim::Reduction::min, "st_inf()", "2147483647", "st_min(a, b)", "min(a, b)"},
    Rule{prim::Reduction::all, "1.0", "1", "min(a, b)", "min(a, b)"},
    Rule{prim::Reduction::any, "0.0", "0", "max(a, b)", "max(a, b)"},
};

/// No invocation may take 65,535 turns of loops, those inside the chain included; see docs/drivers.md.
constexpr std::int64_t mostTurns = 60000;
/// The most elements that one invocation combines, also for the sake of the sum's precision.
constexpr std::int64_t mostElements = 32768;
/// Enough invocations to fill a GPU, few enough that the next pass is short. Two elements of an invocation lie so far apart: no power of
/// two, or they would share a set of the cache where a CPU runs the kernel.
constexpr std::int64_t wanted = 65 * 64;

/// How many elements of the expression one invocation may combine.
std::int64_t longestFor(const Expression& expression) {
    std::int64_t turns = 1;
    for (const Expression::Step& step : expression.steps) turns += detail::row(step.op).turns;
    return std::min(mostElements, mostTurns / turns);
}

/// How many invocations share one output.
std::int64_t splitsFor(std::int64_t outputs, std::int64_t count, std::int64_t longest) {
    if (count <= longest && (count <= 1024 || outputs >= wanted)) return 1;
    const std::int64_t parallel = std::clamp<std::int64_t>(wanted / outputs, 1, std::max<std::int64_t>(count / 16, 1));
    return std::max(parallel, (count + longest - 1) / longest);
}

/// The index space of the expression, cut into the axes that stay and those that are reduced.
struct Split {
    std::vector<std::int64_t> outerExtents, outerStrides, innerExtents, innerStrides;
    std::int64_t outputs = 1, count = 1;
};

Split cut(const Shape& shape, std::uint32_t axes) {
    Split s;
    std::int64_t stride = 1;
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
        const bool reduced = (axes >> axis & 1U) != 0;
        auto& extents = reduced ? s.innerExtents : s.outerExtents;
        auto& strides = reduced ? s.innerStrides : s.outerStrides;
        extents.insert(extents.begin(), shape[axis]);
        strides.insert(strides.begin(), stride);
        (reduced ? s.count : s.outputs) *= shape[axis];
        stride *= shape[axis];
    }
    return s;
}

std::string defines(const prim::Reduce& what, DType value, DType result) {
    const bool real = value == DType::float32;
    if (what.kind == prim::Reduction::argMax || what.kind == prim::Reduction::argMin) {
        return fmt::format("#define ARG\n#define VALUE {}\n#define BETTER(a, b) ((a) {} (b))\n#define NOT_A_NUMBER(a) {}\n",
                           scalarType(value), what.kind == prim::Reduction::argMax ? ">" : "<", real ? "st_isNaN(a)" : "false");
    }
    const Rule& rule = *std::ranges::find(rules, what.kind, &Rule::kind);
    const bool realTotal = result == DType::float32;
    const bool sums = what.kind == prim::Reduction::sum || what.kind == prim::Reduction::mean;
    return fmt::format("#define VALUE {}\n#define IDENTITY {}\n#define COMBINE(a, b) {}\n{}", scalarType(result),
                       realTotal ? rule.identity : rule.integerIdentity, realTotal ? rule.combine : rule.integerCombine,
                       realTotal && sums ? "#define COMPENSATED\n" : "");
}

}  // namespace

void reduce(gl::Gpu& gpu, const prim::Reduce& what, const Expression& expression, const Operand& out) {
    const bool arg = what.kind == prim::Reduction::argMax || what.kind == prim::Reduction::argMin;
    const Split first = cut(expression.shape, what.axes);
    const bool integer = out.dtype != DType::float32;

    // Of a tensor that no kernel can read at once, a sum over everything takes one part after the other.
    const bool inParts = !arg && first.outputs == 1 && !isReadable(gpu.driver, expression);

    std::shared_ptr<gl::Buffer> partial;  // what the pass before has left: totals, or indices of candidates
    std::int64_t count = first.count;
    for (bool more = true; more;) {
        // A later pass of a reduction reads totals in rows; a later pass of an argMax reads indices and looks the values up.
        Expression rows;
        const bool later = partial != nullptr;
        if (later && !arg) {
            rows.shape = Shape{first.outputs, count};
            rows.leaves.push_back({partial, 0, out.dtype, rows.shape});
        }
        const Expression& source = rows.leaves.empty() ? expression : rows;
        const auto parts = inParts && !later ? partsOf(gpu.driver, count) : std::vector<Part>{{0, count}};
        const auto pieces = static_cast<std::int64_t>(parts.size());
        const std::int64_t splits = splitsFor(first.outputs, parts.front().count, longestFor(source));
        more = splits * pieces > 1;
        std::shared_ptr<gl::Buffer> target = more ? scratch(gpu, first.outputs * splits * pieces) : out.buffer;
        for (std::int64_t piece = 0; piece < pieces; ++piece) {
            const Part part = parts[static_cast<std::size_t>(piece)];
            Launch l{.file = "reduce.comp",
                     .library = "lib/math.glsl",
                     .output = {target.get(), {integer, false}},
                     .params = {first.outputs, part.count, splits, first.count, piece * splits, part.first},
                     .invocations = first.outputs * splits};
            Generated generated = generateElement(source, inParts ? part : Part{0, source.shape.size()}, l.params);
            l.inputs = std::move(generated.inputs);
            l.code = std::move(generated.code);
            const Split s = later && !arg ? cut(source.shape, 2) : first;
            l.code += indexFunction("outer", s.outerExtents, s.outerStrides, l.params);
            l.code += indexFunction("inner", s.innerExtents, s.innerStrides, l.params);
            l.code += defines(what, source.dtype(), out.dtype);
            if (arg) {
                l.code += fmt::format("#define FINAL {}\n", more ? 0 : 1);
                if (later) {
                    l.code += fmt::format("#define CANDIDATES(i) in{}(i)\n", l.inputs.size());
                    l.inputs.push_back({partial.get(), {true, false}});
                }
            } else {
                const bool mean = what.kind == prim::Reduction::mean && !more;
                l.code += fmt::format("#define FINISH(a) {}\n", mean ? "((a) / float(P[3]))" : "(a)");
            }
            launch(gpu, l);
        }
        partial = std::move(target);
        count = splits * pieces;
    }
}

}  // namespace stile::kernels
