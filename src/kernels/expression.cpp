#include "kernels/expression.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace stile::kernels {
namespace {

/// How a leaf is read at position i of the index space.
enum class Pattern { number, same, single, broadcast, own };

Pattern patternOf(const Expression& e, const Expression::Leaf& leaf) {
    if (leaf.own) return Pattern::own;
    if (!leaf.buffer) return Pattern::number;
    if (leaf.shape.size() == 1) return Pattern::single;
    return leaf.shape.size() == e.shape.size() ? Pattern::same : Pattern::broadcast;
}

/// The walk through a leaf along the axes of the expression: its strides are 0 where it is stretched.
std::vector<Axis> broadcastAxes(const Shape& leaf, const Shape& shape) {
    std::vector<Axis> axes;
    for (const std::int64_t extent : shape) axes.push_back({extent, 0});
    std::int64_t stride = 1;
    for (int i = 1; i <= leaf.rank(); ++i) {
        if (leaf[-i] != 1) axes[static_cast<std::size_t>(shape.rank() - i)].stride = stride;
        stride *= leaf[-i];
    }
    return merged(axes);
}

std::string converted(const std::string& value, DType from, DType to) {
    return to == DType::float32 && from != DType::float32 ? "float(" + value + ")" : value;
}

/// `T fused(T0 v0, T1 v1, …)`: the chain on values that are loaded already.
std::string fusedFunction(const Expression& e, Params& params) {
    std::string arguments, body;
    for (std::size_t i = 0; i < e.leaves.size(); ++i) {
        arguments += fmt::format("{}{} v{}", i > 0 ? ", " : "", scalarType(e.leaves[i].dtype), i);
    }
    std::string last = "v0";
    for (std::size_t s = 0; s < e.steps.size(); ++s) {
        const Expression::Step& step = e.steps[s];
        const detail::Row& row = detail::row(step.op);
        const std::string_view formula = step.computed == DType::float32 ? row.real : row.integer;
        std::string names;
        for (int k = 0; k < row.operands; ++k) {
            const int operand = step.operands[static_cast<std::size_t>(k)];
            const bool isLeaf = operand < 0;
            const auto index = static_cast<std::size_t>(isLeaf ? -operand - 1 : operand);
            const DType from = isLeaf ? e.leaves[index].dtype : e.steps[index].result;
            // The condition of a select is a bool whatever the values are.
            const DType to = row.rule == detail::Rule::select && k == 0 ? DType::boolean : step.computed;
            const std::string value = isLeaf ? fmt::format("v{}", index) : fmt::format("t{}", index);
            names += fmt::format("{} {} = {}; ", scalarType(to), "abc"[k], converted(value, from, to));
        }
        for (int k = 0; k < row.params; ++k) {
            const int at = params.addFloat(step.params[static_cast<std::size_t>(k)]);
            names += fmt::format("float {} = intBitsToFloat(P[{}]); ", "pq"[k], at);
        }
        // Or compilers take a - a for 0, though a may be infinite, and (a + b) - a for b.
        const char* kept = step.result == DType::float32 ? "PRECISE " : "";
        body += fmt::format("    {4}{0} t{1}; {{ {2}t{1} = {3}; }}\n", scalarType(step.result), s, names, formula, kept);
        last = fmt::format("t{}", s);
    }
    return fmt::format("{} fused({}) {{\n{}    return {};\n}}\n", scalarType(e.dtype()), arguments, body, last);
}

/// What a kernel sees of a buffer with the expression's own shape: nothing is said if it is all.
Part seen(const Expression& e, Part part) { return part.count < e.shape.size() ? part : Part{}; }

std::string number(const Expression::Leaf& leaf, Params& params) {
    const int at = params.addBits(leaf.bits);
    return leaf.dtype == DType::float32 ? fmt::format("intBitsToFloat(P[{}])", at) : fmt::format("P[{}]", at);
}

}  // namespace

const char* scalarType(DType dtype) { return dtype == DType::float32 ? "float" : "int"; }

Generated generateElement(const Expression& e, Part part, Params& params) {
    Generated out;
    out.code = fusedFunction(e, params);
    std::string arguments;
    for (std::size_t i = 0; i < e.leaves.size(); ++i) {
        const Expression::Leaf& leaf = e.leaves[i];
        if (i > 0) arguments += ", ";
        const Pattern pattern = patternOf(e, leaf);
        if (pattern == Pattern::number) {
            arguments += number(leaf, params);
            continue;
        }
        const std::size_t in = out.inputs.size();
        out.inputs.push_back({leaf.buffer.get(), {leaf.dtype != DType::float32, false}});
        if (pattern == Pattern::same) out.inputs.back().part = seen(e, part);
        if (pattern == Pattern::broadcast) {
            out.code += indexFunction(fmt::format("at{}", in), broadcastAxes(leaf.shape, e.shape), params);
            arguments += fmt::format("in{0}(at{0}(i))", in);
        } else {
            const bool shifted = out.inputs.back().part.count > 0;
            const std::string at = shifted ? fmt::format("i - P[{}]", params.add(part.first)) : "i";
            arguments += fmt::format("in{}({})", in, pattern == Pattern::same ? at : "0");
        }
    }
    out.code += fmt::format("{} element(int i) {{ return fused({}); }}\n", scalarType(e.dtype()), arguments);
    return out;
}

Generated generateQuad(const Expression& e, Part part, Params& params, std::size_t inputsBefore) {
    Generated out;
    out.code = fusedFunction(e, params);
    const char* type = scalarType(e.dtype());
    std::string loads, own;
    std::array<std::string, 4> arguments;
    constexpr std::string_view components = "xyzw";
    const int last = params.add(e.shape.size() - 1), first = params.add(part.first);
    for (std::size_t i = 0; i < e.leaves.size(); ++i) {
        const Expression::Leaf& leaf = e.leaves[i];
        const Pattern pattern = patternOf(e, leaf);
        const bool real = leaf.dtype == DType::float32;
        const std::size_t in = inputsBefore + out.inputs.size();
        // The leaf as one number for all four elements, as a vector, or element by element.
        std::string single, vector;
        if (pattern == Pattern::number) {
            single = number(leaf, params);
        } else if (pattern == Pattern::single) {
            single = fmt::format("in{}(0)", in);
        } else if (pattern == Pattern::same) {
            vector = fmt::format("in{}(q)", in);
        } else if (pattern == Pattern::own) {
            vector = "own";
            own = real ? ", vec4 own" : ", ivec4 own";
        } else {
            std::vector<Axis> axes = broadcastAxes(leaf.shape, e.shape);
            const std::string at = fmt::format("at{}", in), quad = fmt::format("{}(P[{}] / 4 + q)", at, first);
            if (axes.back().stride == 0 && axes.back().extent % 4 == 0) {
                axes.back().extent /= 4;
                single = fmt::format("in{}({})", in, quad);
            } else if (toQuads(axes)) {
                vector = fmt::format("in{}({})", in, quad);
            }
            out.code += indexFunction(at, axes, params);
        }
        if (leaf.buffer) {
            out.inputs.push_back({leaf.buffer.get(), {!real, !vector.empty()}});
            if (pattern == Pattern::same) out.inputs.back().part = seen(e, part);
        }
        if (!single.empty()) loads += fmt::format("    {} l{} = {};\n", scalarType(leaf.dtype), i, single);
        if (!vector.empty()) loads += fmt::format("    {} l{} = {};\n", real ? "vec4" : "ivec4", i, vector);
        for (std::size_t k = 0; k < 4; ++k) {
            if (i > 0) arguments[k] += ", ";
            if (!single.empty()) {
                arguments[k] += fmt::format("l{}", i);
            } else if (!vector.empty()) {
                arguments[k] += fmt::format("l{}.{}", i, components[k]);
            } else {
                // The last quad may reach past the end.
                arguments[k] += fmt::format("in{0}(at{0}(min(P[{3}] + 4 * q + {1}, P[{2}])))", in, k, last, first);
            }
        }
    }
    const char* vector = e.dtype() == DType::float32 ? "vec4" : "ivec4";
    out.code += fmt::format("{0} quad(int q{2}) {{\n{1}", vector, loads, own);
    for (std::size_t k = 0; k < 4; ++k) out.code += fmt::format("    {} r{} = fused({});\n", type, k, arguments[k]);
    out.code += fmt::format("    return {}(r0, r1, r2, r3);\n}}\n", vector);
    return out;
}

Expression withOwn(Expression e, const std::shared_ptr<gl::Buffer>& buffer) {
    for (Expression::Leaf& leaf : e.leaves) {
        if (leaf.own) leaf.buffer = buffer;
        leaf.own = false;
    }
    return e;
}

bool isReadable(const gl::Driver& driver, const Expression& e) {
    return std::ranges::all_of(e.leaves, [&](const Expression::Leaf& leaf) {
        return !leaf.buffer || isReadable(driver, Binding{leaf.buffer.get(), {leaf.dtype != DType::float32, false}});
    });
}

}  // namespace stile::kernels
