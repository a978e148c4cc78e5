#include "download/poller.hpp"

#include <unistd.h>
#include <algorithm>
#include <utility>
#include <vector>

namespace stile::download {
namespace {

FenceEnd endOf(gl::FenceState state) {
    switch (state) {
        case gl::FenceState::signalled: return FenceEnd::signalled;
        case gl::FenceState::lost: return FenceEnd::lost;
        default: return FenceEnd::failed;
    }
}

}  // namespace

Poller::Poller(gl::FenceSource& fences, detail::GlExecutor& executor, Clock::duration deadline, gl::Counters& counters)
    : fences_(fences), executor_(executor), deadline_(deadline), counters_(counters) {}

void Poller::watch(gl::Fence fence, Done done) {
    watched_.push_back({fence, std::move(done), executor_.now()});
    ++counters_.fencesInFlight;
    // Earlier fences are looked at by the timer; a fence behind a pending one is pending.
    if (watched_.size() == 1) look();
}

void Poller::look() {
    // The finished prefix is taken out before anybody is called: a callback may watch another fence.
    std::vector<std::pair<Done, FenceEnd>> ended;
    std::vector<Done> late;
    const Clock::time_point now = executor_.now();
    while (!watched_.empty()) {
        Watched& oldest = watched_.front();
        ++counters_.polls;
        const gl::FenceState state = fences_.look(oldest.fence);
        if (state == gl::FenceState::pending) break;
        disarm();
        early_ = false;
        if (state != gl::FenceState::lost) fences_.remove(oldest.fence);
        const Clock::duration took = now - oldest.since;
        usual_ = usual_ == Clock::duration::zero() ? took : (usual_ * 3 + took) / 4;
        ended.emplace_back(std::move(oldest.done), endOf(state));
        watched_.pop_front();
        --counters_.fencesInFlight;
    }
    for (Watched& watched : watched_) {
        if (now - watched.since < deadline_) break;
        if (!std::exchange(watched.reported, true)) late.push_back(watched.done);
    }
    arm();
    for (auto& [done, end] : ended) done(end);
    for (Done& done : late) done(FenceEnd::timedOut);
}

void Poller::waitForOldest(Clock::duration atMost) {
    if (!watched_.empty()) {
        const auto nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(atMost).count();
        (void)fences_.wait(watched_.front().fence, static_cast<std::uint64_t>(std::max<std::int64_t>(nanoseconds, 0)));
    }
    look();
}

void Poller::clear(bool contextIsLost) {
    disarm();
    for (const Watched& watched : watched_) {
        if (!contextIsLost) fences_.remove(watched.fence);
    }
    watched_.clear();
    counters_.fencesInFlight = 0;
}

Clock::duration Poller::delay(Clock::time_point now) const {
    const Clock::duration age = now - watched_.front().since;
    // Work of which the like took long is left alone for the first half of that; then each look waits a quarter of the age,
    // so that the result is at most that much late.
    const Clock::duration wanted = age < usual_ / 2 ? usual_ / 2 - age : age / 4;
    return std::clamp(wanted, shortestDelay, longestDelay);
}

Clock::duration Poller::untilDeadline(Clock::time_point now) const {
    const auto next = std::ranges::find(watched_, false, &Watched::reported);
    // Nothing is left to report when all are late: then only the fence itself counts.
    return next == watched_.end() ? std::chrono::hours(24) : std::max(deadline_ - (now - next->since), Clock::duration::zero());
}

void Poller::arm() {
    if (armed_ || watched_.empty()) return;
    armed_ = true;
    const Clock::time_point now = executor_.now();
    // A descriptor that is readable for no reason is left alone until the next timer: it cannot keep the executor busy.
    const int descriptor = std::exchange(early_, false) ? -1 : fences_.descriptor(watched_.front().fence);
    if (descriptor >= 0) {
        readable_ = executor_.postWhenReadable(descriptor, untilDeadline(now), [weak = weak_from_this()] {
            const auto self = weak.lock();
            if (!self) return;
            self->disarm();
            self->early_ = true;
            self->look();
        });
        if (readable_) return;
        (void)::close(descriptor);
    }
    executor_.postAfter(delay(now), [weak = weak_from_this()] {
        const auto self = weak.lock();
        if (!self) return;
        self->armed_ = false;
        self->look();
    });
}

void Poller::disarm() {
    // A timer cannot be called off, and need not: it looks at whatever is the oldest then.
    if (!readable_) return;
    readable_.reset();
    armed_ = false;
}

}  // namespace stile::download
