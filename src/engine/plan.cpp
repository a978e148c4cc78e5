#include "engine/plan.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <ranges>
#include <utility>
#include <variant>

namespace stile::engine {
namespace {

using detail::Node;
using detail::NodePtr;
namespace prim = detail::prim;

/// Beyond this a chain is cut: the text of its shader, its registers and the compile time grow with it.
constexpr int maxMembers = 32;

/// Counts the submissions of all devices: a node that failed on one context may be tried on another, and must not take the notes
/// of the first for notes of this one.
std::atomic<std::uint64_t> rounds{0};

/// Whether a node and its root's chain of element-wise operations may be one kernel, which applies the chain as it writes.
bool isProductFor(const Node& node, const Node& root) {
    return isProduct(node) && std::holds_alternative<prim::Elementwise>(root.primitive);
}

/// How many positions the kernel of a root walks; 0 if nothing can be computed inside it.
std::int64_t positions(const Node& root) {
    if (std::holds_alternative<prim::Elementwise>(root.primitive)) return root.shape.size();
    if (std::holds_alternative<prim::Reduce>(root.primitive)) return root.inputs.front()->shape.size();
    return 0;
}

/// The buffers that a node reads; numbers known on the host are parameters of element-wise kernels.
int reads(const Node& node) {
    if (isProduct(node)) return static_cast<int>(node.inputs.size());
    return static_cast<int>(std::ranges::count_if(
        node.inputs, [](const NodePtr& input) { return !std::holds_alternative<prim::Fill>(input->primitive); }));
}

/// The buffers that a root's kernel reads beside the nodes' own: the later passes of an argMax read the candidates too.
int readsOfItsOwn(const Node& root) {
    const auto* reduce = std::get_if<prim::Reduce>(&root.primitive);
    return reduce && (reduce->kind == prim::Reduction::argMax || reduce->kind == prim::Reduction::argMin) ? 1 : 0;
}

/// Whether a node may be computed in each of two kernels that read it, instead of once with a buffer between: a few steps without
/// loops from one large tensor, which cost less than writing and reading another.
class Recomputation {
  public:
    [[nodiscard]] static bool isCheap(const Node& node) {
        Recomputation all;
        return all.add(node);
    }

  private:
    static constexpr int mostSteps = 4;

    // The depth of the recursion is the number of steps.
    bool add(const Node& node) {
        const auto& what = std::get<prim::Elementwise>(node.primitive);
        if (++steps_ > mostSteps || detail::row(what.op).turns > 0) return false;
        return std::ranges::all_of(node.inputs, [&](const NodePtr& input) {
            if (input->shape.size() != node.shape.size() || std::holds_alternative<prim::Fill>(input->primitive)) return true;
            const bool isStep = !Planner::isDone(*input) && std::holds_alternative<prim::Elementwise>(input->primitive) &&
                                !input->plan.target && !input->inlined;
            if (isStep) return add(*input);
            if (!large_) large_ = input.get();
            return large_ == input.get();
        });
    }

    int steps_ = 0;
    const Node* large_ = nullptr;
};

/// Whether the elements lie one behind the other.
bool isDense(const prim::Strided& part) {
    std::int64_t expected = 1;
    for (std::size_t i = part.extents.size(); i-- > 0;) {
        if (part.extents[i] == 1) continue;
        if (part.strides[i] != expected) return false;
        expected *= part.extents[i];
    }
    return true;
}

}  // namespace

bool isProduct(const Node& node) noexcept {
    return std::holds_alternative<prim::MatMul>(node.primitive) || std::holds_alternative<prim::Conv2d>(node.primitive);
}

Place placeOf(const NodePtr& node) {
    Place place{node, 0};
    while (!Planner::isDone(*place.node)) {
        const auto* part = std::get_if<prim::Strided>(&place.node->primitive);
        if (part ? !isDense(*part) : !std::holds_alternative<prim::Alias>(place.node->primitive)) return {node, 0};
        if (part) place.offset += static_cast<std::size_t>(part->offset) * 4;
        place.node = place.node->inputs.front();
    }
    // A fill has no memory to lie in.
    return std::holds_alternative<prim::Fill>(place.node->primitive) ? Place{node, 0} : place;
}

double effortOf(std::span<const NodePtr> targets) {
    constexpr std::size_t most = 32;
    std::array<const Node*, most> nodes{};
    std::size_t count = 0;
    bool fits = true;
    const auto add = [&](const NodePtr& node) {
        const auto end = nodes.begin() + static_cast<std::ptrdiff_t>(count);
        if (Planner::isDone(*node) || std::find(nodes.begin(), end, node.get()) != end) return;
        fits = fits && count < most;
        if (fits) nodes[count++] = node.get();
    };
    for (const NodePtr& target : targets) add(target);
    double elements = 0;
    for (std::size_t i = 0; i < count && fits; ++i) {
        elements += static_cast<double>(nodes[i]->shape.size());
        for (const NodePtr& input : nodes[i]->inputs) add(input);
    }
    return fits ? elements : std::numeric_limits<double>::infinity();
}

std::optional<Plan> Planner::order(std::span<const NodePtr> targets) const {
    // Depth first with a stack of its own: a chain may be a million nodes long.
    struct Visit {
        NodePtr node;
        std::size_t next = 0;
    };
    Plan out{.round = ++rounds};
    bool free = true;
    std::vector<Visit> stack;
    const auto visit = [&](const NodePtr& node) {
        if (isDone(*node) || node->plan.round == out.round) return;
        if (std::ranges::find(active_, node->plan.round) != active_.end()) {
            free = false;
            return;
        }
        node->plan = {.round = out.round};
        stack.push_back({node});
    };
    for (const NodePtr& target : targets) {
        visit(target);
        while (!stack.empty() && free) {
            Visit& top = stack.back();
            if (top.next < top.node->inputs.size()) {
                visit(top.node->inputs[top.next++]);
            } else {
                out.nodes.push_back(std::move(top.node));
                stack.pop_back();
            }
        }
        if (!free) return {};
    }
    for (const NodePtr& target : targets) {
        if (!isDone(*target)) target->plan.target = true;  // what is done may be in use on another device
    }
    return out;
}

bool Planner::fits(const Node& node, const Node& root, int maxInputs) {
    return node.shape.size() == positions(root) && root.plan.members < maxMembers &&
           root.plan.reads + reads(node) - 1 <= maxInputs;
}

void Planner::join(const Node& node, Node& root) {
    root.plan.members += 1;
    root.plan.reads += reads(node) - 1;
    if (isProduct(node)) withProduct_.insert(&root);
    // A product reads its operands in another order than it writes.
    for (const NodePtr& input : node.inputs) propose(*input, isProduct(node) ? nullptr : &root);
}

void Planner::propose(Node& input, Node* root) {
    if (isDone(input)) return;
    Node*& first = input.plan.root;
    if (!root) {
        first = &input;
    } else if (!first) {
        first = root;
    } else if (first != root && first != &input) {
        const auto [found, isNew] = second_.emplace(&input, root);
        if (!isNew && found->second != root) first = &input;
    }
}

void Planner::group(Node& node, int maxInputs, bool fuse) {
    // Consumers come first in this walk: each has proposed its own root for this node, or a buffer.
    Node* const root = node.plan.root;
    const auto found = second_.find(&node);
    Node* const other = found == second_.end() ? nullptr : found->second;
    const bool isElementwise = std::holds_alternative<prim::Elementwise>(node.primitive);
    const bool joins = fuse && root && root != &node && !node.plan.target && !node.inlined && fits(node, *root, maxInputs) &&
                       (isElementwise || (isProductFor(node, *root) && !withProduct_.contains(root)));
    if (joins && !other) {
        join(node, *root);
    } else if (joins && isElementwise && fits(node, *other, maxInputs) && Recomputation::isCheap(node)) {
        node.plan.root = nullptr;
        join(node, *root);
        join(node, *other);
    } else {
        node.plan.root = &node;
        node.plan.members = 1;
        node.plan.reads = reads(node) + readsOfItsOwn(node);
        for (const NodePtr& input : node.inputs) propose(*input, positions(node) > 0 ? &node : nullptr);
    }
}

std::optional<Plan> Planner::plan(std::span<const NodePtr> targets, int maxInputs, bool fuse) {
    std::optional<Plan> out = order(targets);
    if (!out) return out;
    active_.push_back(out->round);
    second_.clear();
    withProduct_.clear();
    for (const NodePtr& node : std::views::reverse(out->nodes)) group(*node, maxInputs, fuse);
    return out;
}

}  // namespace stile::engine
