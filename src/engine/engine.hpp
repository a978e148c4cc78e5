#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "cpu/kernels.hpp"
#include "engine/plan.hpp"
#include "gl/gpu.hpp"
#include "kernels/kernels.hpp"
#include "tensor/node.hpp"
#include "trace/recorder.hpp"

namespace stile::engine {

/// How much may be run before others have their turn, and what has been. What counts is the work, not the time: a shader that is
/// compiled meanwhile must not part downloads that were asked for together.
class Slice {
  public:
    explicit Slice(std::chrono::nanoseconds budget) : budget_(budget) {}

    [[nodiscard]] bool isOver() const { return std::chrono::duration<double, std::nano>(work_) >= budget_; }
    void ran(const gl::Step& step);
    /// It took so long: the next estimates will be better.
    void took(std::chrono::nanoseconds time) const;

  private:
    std::chrono::nanoseconds budget_;
    double work_ = 0;  ///< how long it should take, in nanoseconds
    std::vector<std::shared_ptr<gl::Speed>> speeds_;
};

/// A graph that is run slice by slice. Belongs to an engine.
class Submission {
  public:
    explicit Submission(std::vector<detail::NodePtr> targets) : targets_(std::move(targets)) {}
    [[nodiscard]] const std::vector<detail::NodePtr>& targets() const noexcept { return targets_; }
    /// Whether a target has a buffer, or will not get one.
    [[nodiscard]] bool isSettled(std::size_t target) const;
    /// Whether anybody else holds a target that has not run.
    [[nodiscard]] bool isWanted() const;

  private:
    friend class Engine;
    std::vector<detail::NodePtr> targets_;
    std::optional<Plan> plan_;
    std::size_t next_ = 0;        ///< in the plan
    detail::NodePtr current_;     ///< its steps are being run
    detail::BufferPtr result_;    ///< of the current node
    std::deque<gl::Step> steps_;  ///< of the current node
    trace::Recorder::Kernel kernel_;
    std::unordered_map<const detail::Node*, std::exception_ptr> failed_;
    std::vector<std::weak_ptr<detail::Node>> done_;
    std::vector<std::weak_ptr<detail::Uploads>> uploaded_;
    bool inherited_ = false;  ///< the current node has a failed input
};

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

    enum class Progress : std::uint8_t {
        finished,  ///< every target is settled
        more,      ///< the slice is over
        blocked,   ///< needs what another submission is about to run
    };
    /// Runs what the targets need, in order, until the slice is over. A node that fails keeps its inputs and can be tried again.
    [[nodiscard]] Progress advance(Submission& submission, Slice& slice);
    /// Why a target that is settled has no buffer; null if it has one.
    [[nodiscard]] std::exception_ptr errorOf(Submission& submission, std::size_t target);
    /// The programs that the targets need and that are not there yet; computes nothing. None, if another submission is about to run
    /// a part of that: then this has to wait for it.
    /// \throws Error if a node fails before it comes to a program.
    [[nodiscard]] std::optional<std::deque<gl::Rehearsal>> rehearse(std::span<const detail::NodePtr> targets);
    /// Leaves out the nodes that have not been begun; what is left is at most the present one.
    void curtail(Submission& submission);
    /// Gives up what has not been run; its nodes can be run by another submission.
    void abandon(Submission& submission);

    /// The buffer of a node that has run, or of a leaf (uploaded now if need be).
    /// \throws Error if there is none.
    [[nodiscard]] detail::BufferPtr bufferOf(detail::Node& node) { return bufferOf(node, nullptr); }

    /// Of nodes that were recorded long ago those that have to be asked for so that all which are still wanted run.
    [[nodiscard]] static std::vector<detail::NodePtr> endsOf(std::span<const std::weak_ptr<detail::Node>> recorded);

  private:
    /// Prepares the steps of a node.
    void begin(Submission& submission, detail::NodePtr node);
    void prepare(Submission& submission, detail::Node& root);
    /// Whether the CPU has a kernel for it, whose steps are prepared then.
    bool prepareOnCpu(const detail::Primitive& what, kernels::Operands in, const kernels::Operand& out);
    /// A product of which an expression makes the result.
    void prepareProduct(Submission& submission, detail::Node& product, const kernels::Expression& epilogue,
                        const kernels::Operand& out);
    /// The steps of the current node have run.
    void end(Submission& submission);
    void perform(Submission& submission, Slice& slice);
    void fail(Submission& submission, const std::exception_ptr& error);
    void distrust(Submission& submission);
    [[nodiscard]] detail::BufferPtr bufferOf(detail::Node& node, Submission* submission);
    [[nodiscard]] detail::BufferPtr upload(const std::shared_ptr<detail::HostValues>& host, Submission* submission);
    /// The buffer of a number that is repeated.
    [[nodiscard]] detail::BufferPtr fill(const detail::Node& node, Submission* submission);
    /// The copy of a leaf that there is, or a new one that `write` fills.
    [[nodiscard]] detail::BufferPtr copyOf(const std::shared_ptr<detail::Uploads>& uploads, std::size_t bytes,
                                           Submission* submission, const std::function<void(const gl::Buffer&)>& write);

    gl::Gpu& gpu_;
    const detail::Home* home_;
    bool fuse_;
    cpu::Kernels cpu_;
    std::array<std::shared_ptr<gl::Speed>, std::variant_size_v<detail::Primitive>> cpuSpeeds_{};  ///< of its kernels
    trace::Recorder* recorder_ = nullptr;
    Planner planner_;
};

}  // namespace stile::engine
