#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "tensor/node.hpp"

namespace stile::engine {

/// Where a tensor's bytes lie: from an offset in those of a node.
struct Place {
    detail::NodePtr node{};
    std::size_t offset = 0;
};

/// A part of a computed tensor that lies in one piece there (a slice of rows, another shape) needs no kernel; anything else has
/// a place of its own.
[[nodiscard]] Place placeOf(const detail::NodePtr& node);

/// The nodes of a submission in their order.
struct Plan {
    std::uint64_t round = 0;
    std::vector<detail::NodePtr> nodes{};
};

/// A matrix product or a convolution: its kernel can apply an element-wise chain to what it writes.
[[nodiscard]] bool isProduct(const detail::Node& node) noexcept;

/// Roughly how much has to be computed for some targets: the elements of what has not run yet, as far as it is little; else
/// infinite. What needs little goes first, and does not wait for what was asked for in the same turn of the loop.
[[nodiscard]] double effortOf(std::span<const detail::NodePtr> targets);

/// Decides in which order the nodes of a submission run and which of them share a kernel. Notes are left in Node::plan.
///
/// A chain of element-wise nodes becomes one kernel, together with the reduction that ends it or the product that it begins with.
/// A node is computed inside its consumer's kernel if every consumer in the submission is in that same kernel, if its elements are
/// as many as the kernel's positions, and if it has not been computed inside another kernel before: what is wanted twice gets a
/// buffer of its own.
/// If two kernels read it and it is a few steps from one large tensor, it is computed in both, which is quicker than writing it.
class Planner {
  public:
    /// The nodes that must run for the targets, inputs first. Nodes with `plan.root` other than themselves need no kernel;
    /// those without one are computed in each kernel that reads them. A kernel reads at most `maxInputs` buffers. Nothing, if one of them
    /// is in a plan that is being carried out: then this has to wait for that.
    [[nodiscard]] std::optional<Plan> plan(std::span<const detail::NodePtr> targets, int maxInputs, bool fuse);
    /// A plan has been carried out, or given up.
    void end(const Plan& plan) { std::erase(active_, plan.round); }

    [[nodiscard]] static bool isDone(const detail::Node& node) noexcept { return node.isLeaf() || node.ran; }

  private:
    [[nodiscard]] std::optional<Plan> order(std::span<const detail::NodePtr> targets) const;
    void group(detail::Node& node, int maxInputs, bool fuse);
    [[nodiscard]] static bool fits(const detail::Node& node, const detail::Node& root, int maxInputs);
    void join(const detail::Node& node, detail::Node& root);
    /// A consumer in the root's kernel reads this node; without a root it reads it from a buffer.
    void propose(detail::Node& input, detail::Node* root);

    std::vector<std::uint64_t> active_;  ///< the rounds of plans that are being carried out
    // While a plan is made:
    std::unordered_map<const detail::Node*, detail::Node*> second_;  ///< another root that was proposed beside Node::Plan::root
    std::unordered_set<const detail::Node*> withProduct_;            ///< roots whose kernel has a product
};

}  // namespace stile::engine
