#include "device/warm_ups.hpp"

#include <chrono>
#include <functional>
#include <utility>
#include <vector>

#include "stile/error.hpp"
#include "trace/activity.hpp"

namespace stile::detail {

/// How long a driver that compiles is left alone before it is asked again.
constexpr std::chrono::milliseconds patience{1};

void WarmUps::add(const Request& request) {
    trace::reached(*request.waiter, trace::Stage::running);
    Work work{request.waiter, described(request.targets), {}};
    for (const Tensor& target : request.targets) work.targets.push_back(target.node());
    works_.push_back(std::move(work));
    goOn();
}

void WarmUps::fail(const Failure& failure) {
    for (const Work& work : std::exchange(works_, {})) work.waiter->settle({.error = failure.waitingFor(work.what)});
}

void WarmUps::goOn() {
    if (works_.empty() || std::exchange(posted_, true)) return;
    const bool posted = executor_.post([weak = weak_from_this()] {
        if (const auto self = weak.lock()) self->turn();
    });
    if (!posted) fail({errc::device_closed, "the device, whose loop is gone"});
}

void WarmUps::turn() {
    posted_ = false;
    if (works_.empty()) return;
    if (gl::isLost(gpu_.api)) return fail({errc::device_lost, "the GL context was lost"});
    const auto state = gpu_.keepState();
    Work& work = works_.front();
    Progress progress = Progress::done;
    try {
        if (!work.waiter->abandoned()) progress = advance(work);
        if (progress == Progress::done) work.waiter->settle({});
    } catch (...) {
        work.waiter->settle({.error = std::current_exception()});
    }
    if (progress == Progress::done) works_.pop_front();
    if (progress != Progress::busy) return goOn();
    posted_ = true;
    executor_.postAfter(patience, [weak = weak_from_this()] {
        if (const auto self = weak.lock()) self->turn();
    });
}

WarmUps::Progress WarmUps::advance(Work& work) {
    if (!work.programs) {
        work.programs = engine_.rehearse(work.targets);
        if (!work.programs) return Progress::busy;
        work.targets.clear();
    }
    std::deque<gl::Rehearsal>& programs = *work.programs;
    if (programs.empty()) return Progress::done;
    gpu_.errors.keep();
    if (work.begun < programs.size() && gpu_.driver.parallelCompile) {
        const gl::Rehearsal& next = programs[work.begun++];
        gpu_.programs.begin(next.key, next.source);
    } else {
        if (gpu_.programs.isCompiling(programs.front().key)) return Progress::busy;
        programs.front().run();
        programs.pop_front();
        if (work.begun > 0) --work.begun;
    }
    if (const std::string words = gpu_.errors.take(); !words.empty()) throw Error(gl::codeOf(words), "warmUp: " + words);
    return Progress::more;
}

}  // namespace stile::detail
