#include "graph.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stile/create.hpp>
#include <stile/error.hpp>

namespace fuzz {
namespace {

using stile::DType;
using stile::Shape;
using stile::Tensor;

constexpr double ulp = 1.2e-7;
constexpr std::int64_t largest = 4000;

Shape drawShape(Draw& draw) {
    // A few extents, so that shapes often broadcast.
    static const std::vector<std::int64_t> usual{1, 2, 3, 4, 4, 6, 1, 2};
    const std::size_t rank = draw.oneIn(8) ? draw.below(9) : draw.below(5);
    std::vector<std::int64_t> extents;
    for (std::size_t i = 0; i < rank; ++i)
        extents.push_back(draw.oneIn(60) ? 0 : rank > 4 ? draw.between(1, 2) : draw.of(usual));
    if (draw.oneIn(12)) extents = {draw.between(1, 700)};
    return Shape(std::span<const std::int64_t>(extents));
}

Step leaf(Draw& draw) {
    static const std::vector<DType> dtypes{DType::float32, DType::float32, DType::float32, DType::float32,
                                           DType::int32,   DType::int32,   DType::boolean, DType::complex64};
    Value x{.shape = drawShape(draw), .dtype = draw.of(dtypes)};
    const bool wild = draw.oneIn(6), special = draw.oneIn(8), same = draw.oneIn(6);
    const auto number = [&]() -> double {
        const double small = static_cast<double>(draw.between(-32, 32)) / 8;
        if (x.isBool()) return static_cast<double>(draw.below(2));
        if (x.isInt()) {
            return wild ? static_cast<double>(draw.between(-2147483648LL, 2147483647LL)) : std::floor(small);
        }
        if (special && x.isFloat() && draw.oneIn(5)) {
            static const std::vector<double> list{std::numeric_limits<double>::quiet_NaN(),
                                                  std::numeric_limits<double>::infinity(),
                                                  -std::numeric_limits<double>::infinity(), 0.0};
            return draw.of(list);
        }
        return small;
    };
    const double one = number();
    for (std::int64_t i = 0, n = x.shape.size() * (x.isComplex() ? 2 : 1); i < n; ++i) x.data.push_back(same ? one : number());
    Step step{.name = "leaf"};
    step.values.push_back(std::move(x));
    return step;
}

/// Whether the result of a step can go on being compared, and by how much devices may differ in it.
bool settle(Step& step) {
    for (const Value& value : step.values) {
        if (value.shape.size() > largest) return false;
        if (!value.isFloat() && !value.isComplex()) continue;
        if (step.call.error == 0 && value.onGrid()) continue;
        if (!step.call.continuous || value.most() > 1e4 || !value.finite()) return false;
        step.error = std::max(step.error, step.call.error + step.call.ulps * ulp * (value.most() + 1e-3));
    }
    return step.error <= 0.01;
}

bool extend(Graph& graph, Draw& draw) {
    const std::vector<Operation>& operations = allOperations();
    const Operation& operation = draw.of(operations);
    std::vector<Step::Result> results;
    for (std::size_t i = 0; i < graph.size(); ++i) {
        for (std::size_t j = 0; j < graph[i].values.size(); ++j) results.push_back({i, j});
    }
    Step step{.name = operation.name};
    std::vector<Operand> operands;
    for (std::size_t i = 0; i < operation.operands; ++i) {
        // The newest often: chains are what fuses.
        const Step::Result from = draw.oneIn(3) ? results.back() : draw.of(results);
        step.operands.push_back(from);
        operands.push_back({graph[from.step].values[from.output], graph[from.step].error});
    }
    Draft draft = operation.draft(draw, operands);
    if (!draft) return false;
    step.call = std::move(*draft);
    Tensors inputs;
    for (const Operand& operand : operands) inputs.push_back(tensorOf(operand.value));
    Tensors made;
    try {
        made = step.call.run(inputs);
    } catch (const stile::Error&) {
        return false;  // refused at the call; `fuzz` tells which operations were never taken
    }
    for (const Tensor& y : made) {
        if (y.shape().size() > largest) return false;
        step.values.push_back(valueOf(y));
    }
    if (step.values.empty() || !settle(step)) return false;
    graph.push_back(std::move(step));
    return true;
}

std::string brief(const Value& x) {
    std::string text = fmt::format("{} {}", stile::toString(x.shape), stile::name(x.dtype));
    if (x.data.size() <= 64) text += fmt::format(" {{{}}}", fmt::join(x.data, ", "));
    return text;
}

}  // namespace

const std::vector<Operation>& allOperations() {
    static const std::vector<Operation> operations = [] {
        std::vector<Operation> all;
        for (const auto family : {pointwise(), moves(), folds(), windows(), volumes(), blocks(), orders()}) {
            all.insert(all.end(), family.begin(), family.end());
        }
        return all;
    }();
    return operations;
}

double Value::most() const {
    double m = 0;
    for (const double v : data) m = std::isfinite(v) ? std::max(m, std::abs(v)) : m;
    return m;
}
double Value::least() const {
    double m = std::numeric_limits<double>::infinity();
    for (const double v : data) m = std::min(m, std::abs(v));
    return m;
}
double Value::lowest() const { return data.empty() ? 0 : *std::ranges::min_element(data); }
double Value::highest() const { return data.empty() ? 0 : *std::ranges::max_element(data); }
bool Value::finite() const {
    return std::ranges::all_of(data, [](double v) { return std::isfinite(v); });
}
bool Value::onGrid() const {
    return std::ranges::all_of(
        data, [](double v) { return !std::isfinite(v) || (std::abs(v) <= 65536 && v * 256 == std::floor(v * 256)); });
}

Tensor tensorOf(const Value& x) {
    if (x.isFloat()) return stile::tensor(std::vector<float>(x.data.begin(), x.data.end()), x.shape);
    if (x.isInt()) return stile::tensor(std::vector<std::int32_t>(x.data.begin(), x.data.end()), x.shape);
    if (x.isComplex()) {
        std::vector<std::complex<float>> pairs;
        for (std::size_t i = 0; i < x.data.size(); i += 2) {
            pairs.emplace_back(static_cast<float>(x.data[i]), static_cast<float>(x.data[i + 1]));
        }
        return stile::tensor(std::move(pairs), x.shape);
    }
    std::vector<bool> bits;
    for (const double v : x.data) bits.push_back(v != 0);
    return stile::tensor(std::move(bits), x.shape);
}

Value valueOf(const Tensor& x) {
    Value out{.shape = x.shape(), .dtype = x.dtype()};
    const auto copy = [&out](const auto& values) {
        for (const auto& v : values) out.data.push_back(static_cast<double>(v));
    };
    switch (x.dtype()) {
        case DType::float32: copy(x.dataSync<float>()); break;
        case DType::int32: copy(x.dataSync<std::int32_t>()); break;
        case DType::boolean: copy(x.dataSync<bool>()); break;
        case DType::complex64:
            for (const auto& z : x.dataSync<std::complex<float>>()) out.data.insert(out.data.end(), {z.real(), z.imag()});
            break;
        default: break;
    }
    return out;
}

std::vector<Tensors> record(const Graph& graph) {
    std::vector<Tensors> made;
    for (const Step& step : graph) {
        if (step.isLeaf()) {
            made.push_back({tensorOf(step.values.front())});
            continue;
        }
        Tensors inputs;
        for (const auto& from : step.operands) inputs.push_back(made[from.step][from.output]);
        made.push_back(step.call.run(inputs));
    }
    return made;
}

Graph grow(Draw& draw, std::size_t steps) {
    Graph graph;
    for (std::size_t i = 0, n = 2 + draw.below(4); i < n; ++i) graph.push_back(leaf(draw));
    // Many drafts do not fit.
    for (std::size_t tries = 0; graph.size() < steps && tries < 40 * steps; ++tries) {
        if (!extend(graph, draw) && draw.oneIn(60)) graph.push_back(leaf(draw));
    }
    return graph;
}

std::string toString(const Graph& graph) {
    std::string text;
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const Step& step = graph[i];
        std::vector<std::string> operands;
        for (const auto& from : step.operands) {
            operands.push_back(fmt::format("t{}", from.step));
            if (graph[from.step].values.size() > 1) operands.back() += fmt::format(".{}", from.output);
        }
        std::vector<std::string> results;
        for (const Value& value : step.values) results.push_back(brief(value));
        if (!step.call.arguments.empty()) operands.push_back(step.call.arguments);
        text += fmt::format("  t{} = {}({})  // {}\n", i, step.name, fmt::join(operands, ", "), fmt::join(results, "; "));
    }
    return text;
}

}  // namespace fuzz
