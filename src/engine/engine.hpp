#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "cpu/kernels.hpp"
#include "engine/plan.hpp"
#include "gl/gpu.hpp"
#include "kernels/kernels.hpp"
#include "tensor/node.hpp"
#include "trace/recorder.hpp"

namespace stile::engine {

/// Runs recorded graphs on one context. Everything on the GL executor.
class Engine {
  public:
    /// `home` is the device whose nodes these are.
    Engine(gl::Gpu& gpu, const detail::Home* home, bool fuse, bool hostKernels)
        : gpu_(gpu), home_(home), fuse_(fuse), cpu_(hostKernels) {}

    /// Tells from now on what it runs.
    void observe(trace::Recorder* recorder) noexcept { recorder_ = recorder; }
    /// Whom it tells; null if nobody.
    [[nodiscard]] trace::Recorder* recorder() const noexcept { return recorder_; }

    /// Runs what the targets need, in order, so that each has a buffer afterwards. Returns why for each target that has none,
    /// null for the others. A node that fails keeps its inputs and can be tried again.
    [[nodiscard]] std::vector<std::exception_ptr> run(std::span<const detail::NodePtr> targets);

    /// The buffer of a node that has run, or of a leaf (uploaded now if need be).
    /// \throws Error if there is none.
    [[nodiscard]] detail::BufferPtr bufferOf(detail::Node& node);

    /// Runs nodes that were recorded long ago and are still wanted. What fails is tried again when it is asked for.
    void runOverdue(std::span<const std::weak_ptr<detail::Node>> recorded);

  private:
    void runRoot(detail::Node& root);
    [[nodiscard]] kernels::Operand operandOf(detail::Node& node);
    [[nodiscard]] detail::BufferPtr upload(const std::shared_ptr<detail::HostValues>& host);

    gl::Gpu& gpu_;
    const detail::Home* home_;
    bool fuse_;
    cpu::Kernels cpu_;
    trace::Recorder* recorder_ = nullptr;
    Planner planner_;
    std::unordered_map<const detail::Node*, std::exception_ptr> failed_;  ///< in the submission that runs now
    std::vector<std::shared_ptr<detail::HostValues>> uploaded_;           ///< in the submission that runs now
    bool inherited_ = false;                                              ///< the node that runs now has a failed input
};

}  // namespace stile::engine
