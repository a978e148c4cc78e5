#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "gl/gpu.hpp"
#include "gl/timer.hpp"
#include "tensor/home.hpp"
#include "tensor/node.hpp"
#include "trace/activity.hpp"
#include "trace/file.hpp"

namespace stile::trace {

/// Notes what a context runs: for the report always, for sessions and the trace file while there are any. Belongs to a context
/// and its GL executor.
class Recorder {
  public:
    Recorder(gl::Gpu& gpu, std::shared_ptr<Activity> activity, const detail::Home& home);
    ~Recorder();
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    /// What is noted of a node while its kernel runs. Others may run in between.
    struct Kernel {
        bool noted = false;  ///< somebody wants to know
        GLuint begin = 0;
        std::int64_t kernelsBefore = 0;
        KernelProfile profile{};
        std::chrono::steady_clock::time_point since{};
    };

    /// A node is about to be run by a kernel of its own.
    [[nodiscard]] Kernel begin(const detail::Node& root);
    /// Its operands are on the device: from here on its own time counts.
    void uploaded(const Kernel& kernel);
    /// It has run, or failed.
    void end(const detail::Node& root, Kernel& kernel);
    /// A node will be run inside another's kernel.
    void inlined(const detail::Node& node);
    /// A node will not be run after all.
    void leftOut(const detail::Node& root) { inside_.erase(&root); }
    /// The GL executor turns to other things, and back to a node that has begun.
    void pause() noexcept { activity_->end(); }
    void resume(const detail::Node& root) { activity_->begin(root); }

    /// Takes the times that the GPU has told meanwhile.
    void poll();

  private:
    /// A kernel whose times are not known yet.
    struct Pending {
        GLuint begin, end;
        std::string name;
        std::vector<std::pair<std::shared_ptr<Session>, std::size_t>> places;  ///< which kernel of which session
    };

    [[nodiscard]] bool wanted() const noexcept { return trace::on() || activity_->isWatched(); }
    void calibrate();

    gl::Gpu& gpu_;
    std::shared_ptr<Activity> activity_;
    const detail::Home& home_;
    gl::Timer timer_;
    std::unordered_map<const detail::Node*, std::string> inside_;  ///< the names of what runs inside a root's kernel

    std::deque<Pending> pending_;
    std::int64_t track_ = 0;             ///< the GPU's, in the trace; 0 until it is calibrated
    std::chrono::nanoseconds offset_{};  ///< from the GPU's clock to this machine's
};

}  // namespace stile::trace
