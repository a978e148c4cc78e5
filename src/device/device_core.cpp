#include "device/device_core.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <utility>

#include "device/gl_thread.hpp"
#include "log/log.hpp"
#include "stile/error.hpp"
#include "tensor/node.hpp"

namespace stile::detail {
namespace {

gl::GpuOptions gpuOptions(const DeviceOptions& options, bool es, bool shared) {
    return {.es = es,
            .debug = options.debug,
            .shared = shared,
            .minimumLimits = options.minimumLimits,
            .poolBytes = options.poolBytes,
            .memoryLimit = options.memoryLimit,
            .programs = options.maxPrograms,
            .cache = options.diskCache ? gl::cacheFolder() : std::filesystem::path{}};
}

/// What the core keeps: without the context, which has one owner so that its end is known, and with limits that let work
/// through.
DeviceOptions kept(DeviceOptions options) {
    options.context.reset();
    options.maxFences = std::max<std::size_t>(options.maxFences, 1);
    options.maxRecorded = std::max<std::size_t>(options.maxRecorded, 1);
    options.maxPrograms = std::max<std::size_t>(options.maxPrograms, 1);
    options.deadline =
        std::clamp<std::chrono::nanoseconds>(options.deadline, std::chrono::milliseconds(1), std::chrono::hours(24 * 365));
    return options;
}

bool fusionWanted(const DeviceOptions& options) {
    const char* text = std::getenv("STILE_FUSION");
    return options.fusion && !(text && std::string_view(text) == "0");
}

}  // namespace

struct DeviceCore::GlSide {
    GlSide(DeviceCore& core, const gl::Loader& loader, bool es, bool shared)
        : gpu(loader, gpuOptions(core.options_, es, shared), core.counters_),
          fences(gpu.api, gpu.driver),
          engine(gpu, &core, fusionWanted(core.options_)),
          queue(std::make_shared<download::Queue>(
              gpu, engine, fences, *core.executor_,
              download::Queue::Limits{core.options_.maxFences, core.options_.stagingBytes,
                                      std::chrono::duration_cast<download::Clock::duration>(core.options_.deadline)})) {}

    gl::Gpu gpu;
    gl::GlFences fences;
    engine::Engine engine;
    std::shared_ptr<download::Queue> queue;
};

DeviceCore::DeviceCore(std::unique_ptr<GlExecutor> executor, std::shared_ptr<GlContext> context, const DeviceOptions& options)
    : options_(kept(options)), context_(std::move(context)), executor_(std::move(executor)) {}

DeviceCore::~DeviceCore() = default;

void DeviceCore::openHere(const std::function<void*(const char*)>& loader, bool es) {
    const bool shared = context_ == nullptr;
    if (context_) context_->makeCurrent();
    side_ = std::make_unique<GlSide>(*this, loader, es, shared);
    const gl::Driver& d = side_->gpu.driver;
    driver_ = {d.vendor, d.renderer, d.version, d.es, d.software};
    pool_ = side_->gpu.buffers;
    staging_ = side_->queue->staging();
    const auto collect = [weak = weak_from_this()] {
        if (const auto self = weak.lock()) self->flush();
    };
    pool_->onDropped(collect);
    staging_->onDropped(collect);
}

void DeviceCore::recorded(const NodePtr& node) {
    {
        const std::lock_guard lock(mutex_);
        if (closed_) return;
        recorded_.push_back(node);
        if (recorded_.size() < options_.maxRecorded) return;
        if (overdue_.empty()) {
            overdue_.swap(recorded_);
        } else {
            overdue_.insert(overdue_.end(), recorded_.begin(), recorded_.end());
            recorded_.clear();
        }
    }
    flush();
}

Flush DeviceCore::enqueue(Request request, const void* context) {
    bool taken = false;
    arm(request);
    {
        const std::lock_guard lock(mutex_);
        taken = !closed_;
        if (taken) {
            inbox_.push_back(std::move(request));
            if (context) return std::exchange(turnOf_, context) == context ? Flush{} : Flush(shared_from_this());
        }
    }
    if (taken) {
        flush();
    } else {
        request.waiter->settle({.error = closedFailure().waitingFor(described(request.targets))});
    }
    return {};
}

void DeviceCore::arm(const Request& request) {
    if (request.deadline <= std::chrono::nanoseconds::zero()) return;
    const double ms = std::chrono::duration<double, std::milli>(request.deadline).count();
    const bool ownTimer = !executor_->hasOwnTime();
    request.waiter->arm({request.deadline,
                         fmt::format("the call's deadline of {:g} ms, waiting for {}", ms, described(request.targets)),
                         ownTimer});
    if (ownTimer) return;
    executor_->postAfter(request.deadline, [weak = std::weak_ptr(request.waiter)] {
        if (const auto waiter = weak.lock()) waiter->expire();
    });
}

void DeviceCore::flush() {
    {
        const std::lock_guard lock(mutex_);
        turnOf_ = nullptr;
        if (closed_ || std::exchange(drainPosted_, true)) return;
    }
    // Weak: the queue of an executor must not keep alive the device that owns the executor.
    executor_->post([weak = weak_from_this()] {
        if (const auto self = weak.lock()) self->drain();
    });
}

void DeviceCore::drain() {
    std::vector<Request> requests;
    std::vector<std::weak_ptr<Node>> overdue;
    {
        const std::lock_guard lock(mutex_);
        drainPosted_ = false;
        requests.swap(inbox_);
        overdue.swap(overdue_);
    }
    if (!side_) return;
    draining_ = true;
    if (gl::isLost(side_->gpu.api)) {
        // Nothing that GL answers from now on may be believed.
        side_->queue->lose();
        side_->queue->add(std::move(requests));
    } else {
        const auto state = side_->gpu.keepState();
        side_->gpu.buffers->collect();
        if (!overdue.empty()) side_->engine.runOverdue(overdue);
        side_->queue->add(std::move(requests));
    }
    draining_ = false;
}

void DeviceCore::runBlocking(Request request, const std::function<bool()>& settled,
                             const std::function<bool(download::Clock::duration)>& wait) {
    const bool here = executor_->isHere();
    if (here && (context_ || draining_ || (side_ && side_->queue->isBusy()))) {
        throw Error(errc::would_deadlock,
                    "called on the thread on which the device does its work; await the asynchronous twin");
    }
    if (log::isInSink()) {
        throw Error(errc::would_deadlock,
                    "called from a log sink, which the device may have to wait for; await the asynchronous twin");
    }
    (void)enqueue(std::move(request), nullptr);
    if (!here) {
        // The device's own deadline settles it; the margin is for a loop that does not run.
        if (!wait(options_.deadline + std::chrono::seconds(10))) {
            throw Error(errc::timed_out, "the device's executor does not run: is its loop blocked?");
        }
        return;
    }
    while (!settled()) {
        drain();
        if (!settled()) side_->queue->waitForOldest(std::chrono::milliseconds(100));
    }
}

Failure DeviceCore::closedFailure() const { return {errc::device_closed, "device " + options_.label}; }

void DeviceCore::close() noexcept {
    {
        const std::lock_guard lock(mutex_);
        if (closed_.exchange(true)) return;
    }
    withdrawDefaultHome(this);
    if (auto* thread = dynamic_cast<GlThread*>(executor_.get())) {
        thread->post([this] { closeHere(); });
        thread->stop();
    } else {
        closeHere();
    }
    // Here and not on the GL thread: a window's context may be destroyed on the main thread only.
    context_.reset();
}

void DeviceCore::closeHere() {
    std::vector<Request> requests;
    {
        const std::lock_guard lock(mutex_);
        requests.swap(inbox_);
        recorded_.clear();
        overdue_.clear();
    }
    const Failure failure = closedFailure();
    for (const Request& request : requests) {
        request.waiter->settle({.error = failure.waitingFor(described(request.targets))});
    }
    if (side_) {
        {
            // The application may have destroyed its context already; then nothing is left to give back.
            const auto state = gl::isLost(side_->gpu.api) ? nullptr : side_->gpu.keepState();
            side_->queue->close(failure, context_);
            if (!context_ && staging_->lent() > 0) {
                log::warn("{}: {} bytes of staging memory are on lease; they stay in the application's context", options_.label,
                          staging_->lent());
            }
        }
        side_.reset();
    }
    if (context_) context_->doneCurrent();
}

MemoryInfo DeviceCore::memory() const {
    return {.tensors = residentNodes,
            .recorded = recordedNodes,
            .buffers = pool_->buffers(),
            .live = pool_->liveBytes(),
            .pooled = pool_->idleBytes(),
            .staging = staging_->inUse() + staging_->idle(),
            .leased = staging_->lent(),
            .peak = pool_->peakBytes()};
}

DeviceStats DeviceCore::stats() const {
    const gl::Counters& c = counters_;
    std::int64_t inbox = 0;
    {
        const std::lock_guard lock(mutex_);
        inbox = static_cast<std::int64_t>(inbox_.size());
    }
    return {.submissions = c.submissions,
            .kernels = c.kernels,
            .dispatches = c.dispatches,
            .copies = c.copies,
            .fences = c.fences,
            .fencesInFlight = c.fencesInFlight,
            .requestsWaiting = c.requestsWaiting + inbox,
            .programs = c.programs,
            .compiled = c.compiled,
            .loaded = c.loaded,
            .polls = c.polls,
            .debugErrors = c.debugErrors};
}

}  // namespace stile::detail
