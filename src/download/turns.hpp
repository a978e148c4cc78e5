#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include "download/poller.hpp"
#include "engine/engine.hpp"
#include "gl/fence.hpp"
#include "stile/detail/waiter.hpp"

namespace stile::download {

/// A request on its way to its copy: where its values will lie, and which targets of the job compute them.
struct Wanted {
    detail::Request request;
    std::vector<engine::Place> places{};
    std::size_t first = 0;    ///< of the job's targets
    std::size_t staging = 0;  ///< bytes that its copy may need
};

/// A submission, and who waits for it.
struct Job {
    engine::Submission submission;
    std::vector<Wanted> wanted{};
    std::vector<std::weak_ptr<Job>> after{};  ///< not before these have ended

    /// Whether all who waited for it have been cancelled; if nobody does, whether all its tensors have been dropped.
    [[nodiscard]] bool isAbandoned() const;
};
using JobPtr = std::shared_ptr<Job>;

/// Shares a context among jobs: each runs a slice, then the next has its turn. A job that comes begins at once, so a small one waits
/// for the slices that are on the GPU, and not for the jobs before it. Of one that nobody waits for any more nothing new is begun.
/// Where the GPU works by itself, each slice ends with a fence and at most two are on their way. Everything on the GL executor.
class Turns : public std::enable_shared_from_this<Turns> {
  public:
    struct Callbacks {
        /// A job has got on: it has finished, or cannot go on for this error, or neither.
        std::function<void(Job&, bool finished, const std::exception_ptr&)> moved;
        /// A slice's fence has ended.
        std::function<void(FenceEnd)> landed;
        /// There is a turn to take: calls `take` soon.
        std::function<void()> wake;
    };
    Turns(gl::Gpu& gpu, engine::Engine& engine, gl::FenceSource& fences, detail::GlExecutor& executor,
          std::shared_ptr<Poller> poller, std::chrono::nanoseconds slice, Callbacks callbacks);

    /// Takes a job and runs its first slice.
    void start(JobPtr job);
    /// Runs a slice of whoever's turn it is, and asks for the next turn.
    void take();
    /// Runs everything that is left: for callers that block by contract.
    void finishAll();
    /// Gives up everything; returns what was left.
    [[nodiscard]] std::deque<JobPtr> abandon();

    [[nodiscard]] const std::deque<JobPtr>& jobs() const noexcept { return jobs_; }

  private:
    /// Runs a slice of the first job; it is taken out if it has finished, and put at the end otherwise.
    void run(std::chrono::nanoseconds slice);
    void fence(engine::Slice slice);
    void land(const engine::Slice& slice, Clock::time_point since, FenceEnd end);
    void ask();

    gl::Gpu& gpu_;
    engine::Engine& engine_;
    gl::FenceSource& fences_;
    detail::GlExecutor& executor_;
    std::shared_ptr<Poller> poller_;
    const std::chrono::nanoseconds slice_;
    const Callbacks callbacks_;
    std::deque<JobPtr> jobs_;
    std::size_t onGpu_ = 0;  ///< slices whose fences have not signalled
    Clock::time_point landed_{};
    bool asked_ = false;
};

}  // namespace stile::download
