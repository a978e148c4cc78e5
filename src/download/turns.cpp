#include "download/turns.hpp"

#include <algorithm>
#include <utility>

namespace stile::download {
namespace {

/// One runs while the next waits behind it: the GPU is never without work.
constexpr std::size_t mostOnGpu = 2;
constexpr std::chrono::nanoseconds unlimited = std::chrono::hours(24 * 365);

}  // namespace

bool Job::isAbandoned() const {
    if (wanted.empty()) return !submission.isWanted();
    return std::ranges::all_of(wanted, [](const Wanted& one) { return one.request.waiter->abandoned(); });
}

Turns::Turns(gl::Gpu& gpu, engine::Engine& engine, gl::FenceSource& fences, detail::GlExecutor& executor,
             std::shared_ptr<Poller> poller, std::chrono::nanoseconds slice, Callbacks callbacks)
    : gpu_(gpu),
      engine_(engine),
      fences_(fences),
      executor_(executor),
      poller_(std::move(poller)),
      slice_(slice > std::chrono::nanoseconds::zero() ? slice : unlimited),
      callbacks_(std::move(callbacks)) {
    gpu_.longestStep = slice_ / 2;
}

void Turns::start(JobPtr job) {
    jobs_.push_front(std::move(job));
    run(slice_);
    ask();
}

void Turns::take() {
    asked_ = false;
    if (jobs_.empty()) return;
    run(slice_);
    ask();
}

void Turns::finishAll() {
    while (!jobs_.empty()) run(unlimited);
}

std::deque<JobPtr> Turns::abandon() {
    for (const JobPtr& job : jobs_) engine_.abandon(job->submission);
    return std::exchange(jobs_, {});
}

void Turns::run(std::chrono::nanoseconds length) {
    using Progress = engine::Engine::Progress;
    const JobPtr job = std::move(jobs_.front());
    jobs_.pop_front();
    engine::Slice slice(length);
    auto progress = Progress::blocked;
    std::exception_ptr error;
    if (job->isAbandoned()) engine_.curtail(job->submission);
    if (std::ranges::all_of(job->after, &std::weak_ptr<Job>::expired)) {
        try {
            progress = engine_.advance(job->submission, slice);
        } catch (...) {
            error = std::current_exception();
            engine_.abandon(job->submission);
        }
    }
    const bool finished = progress == Progress::finished;
    if (!finished && !error) jobs_.push_back(job);
    callbacks_.moved(*job, finished, error);
    if (progress == Progress::more && !gpu_.driver.immediate) fence(std::move(slice));
}

void Turns::fence(engine::Slice slice) {
    const gl::Fence fence = fences_.insert();
    if (fence == 0) {
        callbacks_.landed(gl::isLost(gpu_.api) ? FenceEnd::lost : FenceEnd::failed);
        return;
    }
    ++onGpu_;
    poller_->watch(fence, [weak = weak_from_this(), slice = std::move(slice), since = executor_.now()](FenceEnd end) {
        if (const auto self = weak.lock()) self->land(slice, since, end);
    });
}

void Turns::land(const engine::Slice& slice, Clock::time_point since, FenceEnd end) {
    if (end != FenceEnd::timedOut) --onGpu_;
    if (end == FenceEnd::signalled) {
        const Clock::time_point now = executor_.now();
        slice.took(now - std::max(since, landed_));
        landed_ = now;
    }
    callbacks_.landed(end);
    ask();
}

void Turns::ask() {
    if (jobs_.empty() || asked_ || onGpu_ >= mostOnGpu) return;
    asked_ = true;
    callbacks_.wake();
}

}  // namespace stile::download
