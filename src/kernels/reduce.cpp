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

/// What an invocation takes in a turn: an element, four neighbouring ones of an output, or those of four neighbouring outputs.
enum class Width { one, along, across };

/// How a pass walks the index space of its expression: outputs by items of each, in elements or in quads.
struct Walk {
    Width width = Width::one;
    std::vector<Axis> outer, inner;
    std::int64_t outputs = 1, count = 1;
    std::int64_t rest = 0;  ///< elements behind the last quad

    /// The numbers that it leaves for each output, in the next pass's index space, where the axis that is reduced is number 1.
    [[nodiscard]] Shape partials(std::int64_t splits) const {
        return width == Width::across ? Shape{outputs, splits, 4} : Shape{outputs, splits};
    }
};

/// Walks element by element.
Walk narrow(const Shape& shape, std::uint32_t axes) {
    Walk w;
    std::vector<std::int64_t> strides(static_cast<std::size_t>(shape.rank()), 1);
    for (int axis = shape.rank() - 2; axis >= 0; --axis) {
        const auto i = static_cast<std::size_t>(axis);
        strides[i] = strides[i + 1] * shape[axis + 1];
    }
    for (int axis = 0; axis < shape.rank(); ++axis) {
        const bool reduced = (axes >> axis & 1U) != 0;
        (reduced ? w.inner : w.outer).push_back({shape[axis], strides[static_cast<std::size_t>(axis)]});
        (reduced ? w.count : w.outputs) *= shape[axis];
    }
    w.inner = merged(w.inner);
    w.outer = merged(w.outer);
    return w;
}

/// Makes elements quads in the other axes, whose elements lie no closer; says whether they do.
bool strideQuads(std::vector<Axis>& axes) {
    if (!std::ranges::all_of(axes, [](const Axis& axis) { return axis.stride % 4 == 0; })) return false;
    for (Axis& axis : axes) axis.stride /= 4;
    return true;
}

/// Walks in quads where they lie so.
Walk wide(const Shape& shape, std::uint32_t axes, bool arg) {
    Walk w = narrow(shape, axes);
    if (w.outputs == 1 && w.count >= 4) {
        w.rest = w.count % 4;
        w.count /= 4;
        w.inner = {{w.count + 1, 1}};  // the rest is read too
        w.width = Width::along;
        return w;
    }
    Walk quads = w;
    if (toQuads(quads.inner) && strideQuads(quads.outer)) {
        quads.count /= 4;
        quads.width = Width::along;
        return quads;
    }
    quads = w;
    if (!arg && toQuads(quads.outer) && strideQuads(quads.inner)) {
        quads.outputs /= 4;
        quads.width = Width::across;
        return quads;
    }
    return w;
}

/// How many items one invocation may combine.
std::int64_t longestFor(const Expression& expression, Width width) {
    std::int64_t turns = 0;
    for (const Expression::Step& step : expression.steps) turns += detail::row(step.op).turns;
    if (width != Width::one) turns *= 4;
    return std::min(width == Width::along ? mostElements / 4 : mostElements, mostTurns / (turns + 1));
}

/// How many invocations share one output.
std::int64_t splitsFor(const gl::Driver& driver, const Walk& walk, std::int64_t count, std::int64_t longest) {
    // Enough invocations to fill a GPU or the cores, few enough that the next pass is short. Two items of an invocation lie so far
    // apart: no power of two, or they would share a set of the cache where a CPU runs the kernel.
    const std::int64_t wanted = driver.software ? 17 * 64 : 65 * 64, few = driver.software ? 17 * 64 : 256;
    // Neighbouring invocations of a GPU read together if they lie together.
    constexpr std::int64_t together = 16;
    const bool alone = driver.software || walk.width != Width::along || count < 2 * together;
    if (count <= longest && alone && (count <= few || walk.outputs >= wanted)) return 1;
    const std::int64_t least = alone ? 1 : together;
    const std::int64_t parallel = std::clamp(wanted / walk.outputs, least, std::max(count / 16, least));
    return std::max(parallel, (count + longest - 1) / longest);
}

std::string defines(const prim::Reduce& what, DType value, DType result) {
    const bool real = value == DType::float32;
    if (what.kind == prim::Reduction::argMax || what.kind == prim::Reduction::argMin) {
        return fmt::format(
            "#define ARG\n#define VALUE {}\n#define VALUE4 {}\n#define BETTER(a, b) ((a) {} (b))\n#define NOT_A_NUMBER(a) {}\n",
            scalarType(value), real ? "vec4" : "ivec4", what.kind == prim::Reduction::argMax ? ">" : "<",
            real ? "st_isNaN(a)" : "false");
    }
    const Rule& rule = *std::ranges::find(rules, what.kind, &Rule::kind);
    const bool realTotal = result == DType::float32;
    const bool sums = what.kind == prim::Reduction::sum || what.kind == prim::Reduction::mean;
    return fmt::format("#define TOTAL {}\n#define TOTAL4 {}\n#define IDENTITY {}\n#define COMBINE(a, b) {}\n{}",
                       scalarType(result), realTotal ? "vec4" : "ivec4", realTotal ? rule.identity : rule.integerIdentity,
                       realTotal ? rule.combine : rule.integerCombine, realTotal && sums ? "#define COMPENSATED\n" : "");
}

}  // namespace

void reduce(gl::Gpu& gpu, const prim::Reduce& what, const Expression& expression, const Operand& out) {
    const bool arg = what.kind == prim::Reduction::argMax || what.kind == prim::Reduction::argMin;
    const bool integer = out.dtype != DType::float32;
    const std::int64_t elements = expression.shape.size() / out.shape.size();

    // Of a tensor that no kernel can read at once, a sum over everything takes one part after the other.
    const bool inParts = !arg && out.shape.size() == 1 && !isReadable(gpu.driver, expression);

    std::shared_ptr<gl::Buffer> partial;  // what the pass before has left: totals, or indices of candidates
    Expression rows;                      // a later pass of a reduction reads totals in rows
    std::int64_t candidates = 0;          // a later pass of an argMax reads indices and looks the values up
    for (bool more = true; more;) {
        const bool later = partial != nullptr;
        const Expression& source = rows.leaves.empty() ? expression : rows;
        const std::uint32_t axes = rows.leaves.empty() ? what.axes : 2;
        const auto parts = inParts && !later ? partsOf(gpu.driver, elements) : std::vector<Part>{{0, source.shape.size()}};
        const auto pieces = static_cast<std::int64_t>(parts.size());
        Walk walk = arg && later ? narrow(source.shape, axes) : wide(source.shape, axes, arg);
        if (arg && later) walk.count = candidates;
        if (pieces > 1) walk.count = parts.front().count / 4;
        const std::int64_t splits = splitsFor(gpu.driver, walk, walk.count, longestFor(source, walk.width));
        more = splits * pieces > 1;
        const Shape left = walk.partials(splits * pieces);
        std::shared_ptr<gl::Buffer> target = more ? scratch(gpu, left.size()) : out.buffer;
        for (std::int64_t piece = 0; piece < pieces; ++piece) {
            const Part part = parts[static_cast<std::size_t>(piece)];
            if (pieces > 1) {
                walk.count = part.count / 4;
                walk.rest = part.count % 4;
            }
            Launch l{.file = "reduce.comp",
                     .library = "lib/math.glsl",
                     .output = {target.get(), {integer, walk.width == Width::across}},
                     .params = {walk.outputs, walk.count},
                     .invocations = walk.outputs * splits,
                     .work = static_cast<double>(part.count)};
            l.params.addDivisor(splits);
            for (const std::int64_t number : {elements, piece * splits, walk.rest}) l.params.add(number);
            Generated generated =
                walk.width == Width::one ? generateElement(source, part, l.params) : generateQuad(source, part, l.params);
            l.inputs = std::move(generated.inputs);
            l.code = std::move(generated.code);
            l.code += indexFunction("outer", walk.outer, l.params);
            l.code += indexFunction("inner", walk.inner, l.params);
            l.code += fmt::format("#define WIDTH {}\n", walk.width == Width::one     ? "1"
                                                        : walk.width == Width::along ? "ALONG"
                                                                                     : "ACROSS");
            l.code += defines(what, source.dtype(), out.dtype);
            if (arg) {
                l.code += fmt::format("#define FINAL {}\n", more ? 0 : 1);
                if (later) {
                    l.code += fmt::format("#define CANDIDATES(i) in{}(i)\n", l.inputs.size());
                    l.inputs.push_back({partial.get(), {true, false}});
                }
            } else {
                const bool mean = what.kind == prim::Reduction::mean && !more;
                l.code += fmt::format("#define FINISH(a) {}\n", mean ? "((a) / float(P[5]))" : "(a)");
            }
            launch(gpu, l);
        }
        partial = std::move(target);
        candidates = splits;
        if (!arg) rows = {.shape = left, .leaves = {{partial, 0, out.dtype, left}}, .steps = {}};
    }
}

}  // namespace stile::kernels
