#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
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

/// Decides in which order the nodes of a submission run and which of them share a kernel. Notes are left in Node::plan.
///
/// A chain of element-wise nodes becomes one kernel, together with the reduction that ends it. A node is computed inside its
/// consumer's kernel if every consumer in the submission is in that same kernel, if its elements are as many as the kernel's
/// positions, and if it has not been computed inside another kernel before: what is wanted twice gets a buffer of its own.
class Planner {
  public:
    /// The nodes that must run for the targets, inputs first. Nodes with `plan.root` other than themselves need no kernel.
    /// A kernel reads at most `maxInputs` buffers.
    [[nodiscard]] std::vector<detail::NodePtr> plan(std::span<const detail::NodePtr> targets, int maxInputs, bool fuse);

    [[nodiscard]] static bool isDone(const detail::Node& node) noexcept { return node.isLeaf() || node.ran; }

  private:
    [[nodiscard]] std::vector<detail::NodePtr> order(std::span<const detail::NodePtr> targets);
    void group(detail::Node& node, int maxInputs, bool fuse);

    std::uint64_t round_ = 0;  ///< of the submission that is planned now
};

}  // namespace stile::engine
