#include <bit>

#include "host/chain.hpp"
#include "host/host.hpp"
#include "host/operations.hpp"

namespace stile::host {

Chain::Chain(const kernels::Expression& expression, std::span<const std::byte* const> leaves)
    : expression_(expression), leaves_(leaves), loaded_(expression.leaves.size()), computed_(expression.steps.size()) {}

Word Chain::leafAt(std::size_t leaf, std::int64_t i) const {
    const kernels::Expression::Leaf& what = expression_.leaves[leaf];
    if (!leaves_[leaf]) return what.bits;
    const Shape &from = what.shape, &to = expression_.shape;
    if (from.size() == to.size()) return get<Word>(leaves_[leaf], i);
    std::int64_t index = 0, stride = 1;
    for (int axis = 1; axis <= from.rank(); ++axis) {
        if (from[-axis] != 1) index += i % to[-axis] * stride;
        stride *= from[-axis];
        i /= to[-axis];
    }
    return get<Word>(leaves_[leaf], index);
}

Word Chain::operandOf(const kernels::Expression::Step& step, std::size_t k) const {
    const int operand = step.operands[k];
    const auto index = static_cast<std::size_t>(operand < 0 ? -operand - 1 : operand);
    const Word bits = operand < 0 ? loaded_[index] : computed_[index];
    const DType from = operand < 0 ? expression_.leaves[index].dtype : expression_.steps[index].result;
    // The condition of a select is a bool whatever the values are.
    const bool isCondition = detail::row(step.op).rule == detail::Rule::select && k == 0;
    if (isCondition || step.computed != DType::float32 || from == DType::float32) return bits;
    return std::bit_cast<Word>(static_cast<float>(static_cast<std::int32_t>(bits)));
}

Word Chain::at(std::int64_t i) {
    for (std::size_t leaf = 0; leaf < loaded_.size(); ++leaf) loaded_[leaf] = leafAt(leaf, i);
    for (std::size_t s = 0; s < computed_.size(); ++s) {
        const kernels::Expression::Step& step = expression_.steps[s];
        const int operands = detail::row(step.op).operands;
        Arguments arguments{.p = step.params[0], .q = step.params[1]};
        arguments.a = operandOf(step, 0);
        if (operands > 1) arguments.b = operandOf(step, 1);
        if (operands > 2) arguments.c = operandOf(step, 2);
        const Operation& what = operation(step.op);
        computed_[s] = (step.computed == DType::float32 ? what.real : what.integer)(arguments);
    }
    return computed_.empty() ? loaded_.front() : computed_.back();
}

void elementwise(const kernels::Expression& expression, std::span<const std::byte* const> leaves, const Operand& out) {
    Chain chain(expression, leaves);
    for (std::int64_t i = 0; i < expression.shape.size(); ++i) put(out.data, i, chain.at(i));
}

}  // namespace stile::host
