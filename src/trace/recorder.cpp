#include "trace/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "log/log.hpp"

namespace stile::trace {

using std::chrono::nanoseconds;
using std::chrono::steady_clock;

Recorder::Recorder(gl::Gpu& gpu, std::shared_ptr<Activity> activity, const detail::Home& home)
    : gpu_(gpu), activity_(std::move(activity)), home_(home), timer_(gpu.api, gpu.driver) {
    if (on()) calibrate();
}

Recorder::~Recorder() {
    if (gl::isLost(gpu_.api)) {
        timer_.abandon();
    } else {
        poll();
    }
}

void Recorder::calibrate() {
    if (!timer_.isAvailable()) {
        log::info("{}: no timer queries, so the trace does not tell GPU times", home_.label());
        return;
    }
    // The closest of some pairs: whatever came between two readings makes a pair wider.
    nanoseconds closest = nanoseconds::max();
    for (int i = 0; i < 8; ++i) {
        const auto before = steady_clock::now();
        const nanoseconds gpu(timer_.now());
        const auto after = steady_clock::now();
        if (after - before >= closest) continue;
        closest = after - before;
        offset_ = nanoseconds((before + (after - before) / 2).time_since_epoch()) - gpu;
    }
    track_ = addTrack("GPU of " + home_.label());
}

Recorder::Kernel Recorder::begin(const detail::Node& root) {
    activity_->begin(root);
    Kernel kernel{.noted = wanted()};
    if (!kernel.noted) return kernel;
    const auto inside = inside_.find(&root);
    kernel.profile.name = inside == inside_.end() ? root.name : inside->second + root.name;
    if (inside != inside_.end()) inside_.erase(inside);
    for (const detail::NodePtr& input : root.inputs) kernel.profile.inputShapes.push_back(input->shape);
    kernel.profile.outputShape = root.shape;
    kernel.kernelsBefore = gpu_.counters.kernels;
    kernel.since = steady_clock::now();
    // So that a program which never asks for a fence does not gather marks without end.
    constexpr std::size_t most = 4096;
    kernel.begin = timer_.isAvailable() && pending_.size() < most ? timer_.mark() : 0;
    return kernel;
}

void Recorder::uploaded(const Kernel& kernel) {
    if (kernel.noted && kernel.begin != 0) timer_.markAgain(kernel.begin);
}

void Recorder::end(const detail::Node& root, Kernel& kernel) {
    if (!std::exchange(kernel.noted, false)) return;
    const auto now = steady_clock::now();
    const bool ran = root.ran && gpu_.counters.kernels > kernel.kernelsBefore;  // not an alias, not empty, no failure
    KernelProfile& profile = kernel.profile;
    if (ran && on()) {
        slice("kernel", profile.name, kernel.since, now,
              fmt::format(R"("shape":{},"bytes":{})", trace::quoted(toString(root.shape)), root.bytes()));
    }
    if (!ran) {
        // The mark is not waited for: it is put again when it is needed.
        if (kernel.begin != 0) pending_.push_back({kernel.begin, 0, {}, {}});
        return;
    }
    profile.bytesAdded = root.bytes();
    profile.tensorsAdded = 1;
    profile.totalBytesSnapshot = home_.residentBytes;
    profile.totalTensorsSnapshot = home_.residentNodes;
    Pending pending{kernel.begin, kernel.begin != 0 ? timer_.mark() : 0, profile.name, {}};
    for (const std::shared_ptr<Session>& session : activity_->sessions()) {
        const std::lock_guard lock(session->mutex);
        session->timed = session->timed && kernel.begin != 0;
        if (kernel.begin != 0) ++session->untimed;
        pending.places.emplace_back(session, session->kernels.size());
        session->kernels.push_back(profile);
    }
    if (kernel.begin != 0) pending_.push_back(std::move(pending));
}

void Recorder::inlined(const detail::Node& node) {
    if (!wanted()) return;
    std::string& names = inside_[node.plan.root];
    constexpr std::size_t most = 100;
    if (names.size() < most) {
        names += node.name;
        names += '+';
    } else if (!names.ends_with("…+")) {
        names += "…+";
    }
}

void Recorder::poll() {
    while (!pending_.empty()) {
        Pending& oldest = pending_.front();
        if (!timer_.isDone(oldest.end != 0 ? oldest.end : oldest.begin)) break;
        const nanoseconds begin(timer_.take(oldest.begin));
        if (oldest.end != 0) {
            const nanoseconds end(timer_.take(oldest.end));
            if (track_ != 0) {
                const auto at = [this](nanoseconds gpu) {
                    return Time(std::chrono::duration_cast<steady_clock::duration>(gpu + offset_));
                };
                slice("gpu", oldest.name, at(begin), at(end), {}, track_);
            }
            for (const auto& [session, place] : oldest.places) {
                const std::lock_guard lock(session->mutex);
                --session->untimed;
                session->kernels[place].kernelTimeMs = std::chrono::duration<double, std::milli>(end - begin).count();
            }
        }
        pending_.pop_front();
    }
}

}  // namespace stile::trace
