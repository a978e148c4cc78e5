#include "device/device_core.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <utility>

#include "device/gl_thread.hpp"
#include "device/headless.hpp"
#include "device/warm_ups.hpp"
#include "gl/fence_choice.hpp"
#include "log/log.hpp"
#include "stile/error.hpp"
#include "tensor/describe.hpp"
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

/// How long work in the background waits for a download that it could go with.
constexpr std::chrono::milliseconds patience{2};

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

/// Raises a flag while it lives.
class Raised {
  public:
    explicit Raised(bool& flag) : flag_(flag) { flag_ = true; }
    ~Raised() { flag_ = false; }
    Raised(const Raised&) = delete;
    Raised& operator=(const Raised&) = delete;

  private:
    bool& flag_;
};

bool fusionWanted(const DeviceOptions& options) {
    const char* text = std::getenv("STILE_FUSION");
    return options.fusion && !(text && std::string_view(text) == "0");
}

}  // namespace

struct DeviceCore::GlSide {
    GlSide(DeviceCore& core, const gl::Loader& loader, bool es, bool shared)
        : gpu(loader, gpuOptions(core.options_, es, shared), core.counters_),
          fences(gl::chooseFences(gpu.api, gpu.driver)),
          recorder(gpu, core.activity_, core),
          engine(gpu, &core, fusionWanted(core.options_), core.options_.hostKernels),
          queue(std::make_shared<download::Queue>(
              gpu, engine, *fences, *core.executor_,
              download::Queue::Limits{core.options_.maxFences, core.options_.stagingBytes,
                                      std::chrono::duration_cast<download::Clock::duration>(core.options_.deadline),
                                      core.options_.slice})),
          warmUps(std::make_shared<WarmUps>(gpu, engine, *core.executor_)) {
        engine.observe(&recorder);
    }

    gl::Gpu gpu;
    std::unique_ptr<gl::FenceSource> fences;
    trace::Recorder recorder;
    engine::Engine engine;
    std::shared_ptr<download::Queue> queue;
    std::shared_ptr<WarmUps> warmUps;
};

DeviceCore::DeviceCore(std::unique_ptr<GlExecutor> executor, const DeviceOptions& options)
    : options_(kept(options)),
      headless_(options.context == nullptr),
      executor_(std::move(executor)),
      ownThread_(dynamic_cast<GlThread*>(executor_.get())) {
    trace::openFromEnvironment();
}

DeviceCore::~DeviceCore() = default;

void DeviceCore::openHere(std::shared_ptr<GlContext> context) {
    context_ = std::move(context);
    context_->makeCurrent();
    openSide([this](const char* name) { return context_->procAddress(name); }, context_->es());
}

void DeviceCore::openHere(const gl::Loader& loader) {
    // Which API the application's context speaks shows in its version text.
    using GetString = const unsigned char* (*)(unsigned);
    constexpr unsigned glVersion = 0x1F02;
    const auto getString = reinterpret_cast<GetString>(loader("glGetString"));
    const unsigned char* version = getString ? getString(glVersion) : nullptr;
    if (!version) throw Error(errc::no_context, "attach: no GL context is current on this thread");
    openSide(loader, std::string_view(reinterpret_cast<const char*>(version)).starts_with("OpenGL ES"));
}

void DeviceCore::openSide(const gl::Loader& loader, bool es) {
    side_ = std::make_unique<GlSide>(*this, loader, es, isAttached());
    const gl::Driver& d = side_->gpu.driver;
    const std::shared_ptr<gl::BufferPool>& buffers = side_->gpu.buffers;
    const std::shared_ptr<download::Staging> staging = side_->queue->staging();
    const auto collect = [weak = weak_from_this()] {
        if (const auto self = weak.lock()) self->flush();
    };
    buffers->onDropped(collect);
    staging->onDropped(collect);
    const std::lock_guard lock(mutex_);
    if (pool_) peakBefore_ = std::max(peakBefore_, pool_->peakBytes());
    pool_ = buffers;
    staging_ = staging;
    DriverInfo info{d.vendor, d.renderer, d.version, d.es, d.software};
    if (drivers_.empty() || drivers_.back() != info) drivers_.push_back(std::move(info));
}

const DriverInfo& DeviceCore::driver() const {
    const std::lock_guard lock(mutex_);
    return drivers_.back();
}

void DeviceCore::recorded(const NodePtr& node) {
    std::vector<NodePtr> held;  // what dies here dies when the mutex is free
    {
        const std::lock_guard lock(mutex_);
        if (closed_) return;
        recorded_.push_back(node);
        if (recorded_.size() < lookAt_) return;
        // Only those that wait still count. They are looked through now and then: each time costs as much as there are.
        std::erase_if(recorded_, [&held](const std::weak_ptr<Node>& weak) {
            held.push_back(weak.lock());
            return !held.back() || held.back()->ran;
        });
        lookAt_ = options_.maxRecorded;
        if (recorded_.size() < options_.maxRecorded) {
            lookAt_ = std::max(lookAt_, recorded_.size() + options_.maxRecorded / 8);
            return;
        }
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
    const bool background = request.background;
    arm(request);
    if (const std::uint64_t id = request.waiter->traceId; id != 0) {
        trace::asyncNote("wait", "operations", id, R"("of":)" + trace::quoted(described(request.targets)));
    }
    {
        const std::lock_guard lock(mutex_);
        taken = !closed_;
        if (taken) {
            activity_->gather(request);
            inbox_.push_back(std::move(request));
            if (background && std::exchange(drainLater_, true)) return {};
            if (context) {
                ++turnRequests_;
                if (std::exchange(turnOf_, context) == context) return Flush{};
                turnRequests_ = 1;
                if (trace::on()) turnSince_ = std::chrono::steady_clock::now();
                return Flush(shared_from_this());
            }
        }
    }
    if (!taken) {
        request.waiter->settle({.error = absence().waitingFor(described(request.targets))});
    } else if (background) {
        executor_->postAfter(patience, [weak = weak_from_this()] {
            if (const auto self = weak.lock()) self->drain();
        });
    } else {
        flush();
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
        if (std::exchange(turnOf_, nullptr) && trace::on()) {
            const std::uint64_t turn = trace::nextId();
            trace::asyncBegin("turn", "turn of a loop", turn, turnSince_, fmt::format(R"("requests":{})", turnRequests_));
            trace::asyncEnd("turn", "turn of a loop", turn, std::chrono::steady_clock::now());
        }
        if (closed_ || std::exchange(drainPosted_, true)) return;
    }
    // Weak: the queue of an executor must not keep alive the device that owns the executor.
    const bool posted = executor_->post([weak = weak_from_this()] {
        if (const auto self = weak.lock()) self->drain();
    });
    if (!posted) orphan();
}

/// The loop of an attached device is gone: nobody will ever serve what is asked for.
void DeviceCore::orphan() {
    std::vector<Request> requests;
    {
        const std::lock_guard lock(mutex_);
        drainPosted_ = false;
        requests.swap(inbox_);
    }
    const Failure failure{errc::device_closed, "device " + options_.label + ", whose loop is gone"};
    for (const Request& request : requests) {
        request.waiter->settle({.error = failure.waitingFor(described(request.targets))});
    }
}

void DeviceCore::drain() {
    std::vector<Request> requests;
    std::vector<std::weak_ptr<Node>> overdue;
    {
        const std::lock_guard lock(mutex_);
        drainPosted_ = false;
        drainLater_ = false;
        requests.swap(inbox_);
        overdue.swap(overdue_);
    }
    if (trace::on()) {
        trace::counter("operations",
                       fmt::format(R"("recorded":{},"on the device":{})", recordedNodes.load(), residentNodes.load()));
    }
    const Raised draining(draining_);
    std::vector<Request> batch;
    for (Request& request : requests) {
        if (!request.reopen) {
            batch.push_back(std::move(request));
            continue;
        }
        start(std::exchange(batch, {}), {});
        reopenHere(std::move(request));
    }
    start(std::move(batch), overdue);
}

void DeviceCore::start(std::vector<Request> requests, const std::vector<std::weak_ptr<Node>>& overdue) {
    if (!side_) {
        for (const Request& request : requests) {
            request.waiter->settle({.error = absence().waitingFor(described(request.targets))});
        }
        return;
    }
    if (gl::isLost(side_->gpu.api)) {
        // Nothing that GL answers from now on may be believed.
        side_->queue->lose();
        side_->queue->add(std::move(requests));
        return;
    }
    const auto state = side_->gpu.keepState();
    side_->gpu.buffers->collect();
    std::erase_if(requests, [this](const Request& request) {
        if (request.warmUp) side_->warmUps->add(request);
        return request.warmUp;
    });
    if (!overdue.empty()) side_->queue->addOverdue(overdue);
    side_->queue->add(std::move(requests));
}

void DeviceCore::reopenHere(Request request) {
    std::shared_ptr<GlContext> context = std::move(request.reopen->context);
    // Whatever becomes of it: the application's context is let go where the device is closed.
    retire(context);
    if (request.waiter->abandoned()) return;
    try {
        if (!side_ || gl::isLost(side_->gpu.api)) {
            const bool isThere = isAttached() ? request.reopen->loader != nullptr : context || headless_;
            if (!isThere) {
                throw Error(errc::no_context, "reopen: the context of device " + options_.label +
                                                  " was the application's; ReopenOptions has to name the new one");
            }
            leaveContext();
            if (isAttached()) {
                openHere(request.reopen->loader);
            } else {
                headless_ = context == nullptr;
                openHere(context ? std::move(context) : openHeadless(options_));
            }
            if (gl::isLost(side_->gpu.api)) {
                throw Error(errc::device_lost, "reopen: the new context of device " + options_.label + " is lost too");
            }
            log::info("{}: reopened after its context was lost", options_.label);
        }
        request.waiter->settle({});
    } catch (...) {
        leaveContext();
        request.waiter->settle({.error = std::current_exception()});
    }
}

void DeviceCore::expectMayBlock() const {
    if (executor_->isHere() && (!isAttached() || draining_ || (side_ && side_->queue->isBusy()))) {
        throw Error(errc::would_deadlock,
                    "called on the thread on which the device does its work; await the asynchronous twin");
    }
    if (log::isInSink()) {
        throw Error(errc::would_deadlock,
                    "called from a log sink, which the device may have to wait for; await the asynchronous twin");
    }
}

void DeviceCore::runBlocking(Request request, const std::function<bool()>& settled,
                             const std::function<bool(download::Clock::duration)>& wait) {
    (void)enqueue(std::move(request), nullptr);
    if (!executor_->isHere()) {
        // The device's own deadline settles it; the margin is for a loop that does not run.
        if (!wait(options_.deadline + std::chrono::seconds(10))) {
            throw Error(errc::timed_out, "the device's executor does not run: is its loop blocked?");
        }
        return;
    }
    while (!settled()) {
        drain();
        if (settled()) break;  // also where there is no context
        side_->queue->finishAll();
        if (!settled()) side_->queue->waitForOldest(std::chrono::milliseconds(100));
    }
}

Failure DeviceCore::absence() const {
    const std::string device = "device " + options_.label;
    return closed_ ? Failure{errc::device_closed, device}
                   : Failure{errc::device_lost, device + " has no context until it is reopened"};
}

void DeviceCore::close() noexcept {
    {
        const std::lock_guard lock(mutex_);
        if (closed_.exchange(true)) return;
    }
    withdrawDefaultHome(this);
    if (ownThread_) {
        ownThread_->post([this] { closeHere(); });
        ownThread_->stop();
    } else {
        closeHere();
    }
    trace::flush();
    // Here and not on the GL thread: a window's context may be destroyed on the main thread only.
    retired_.clear();
}

void DeviceCore::closeHere() {
    std::vector<Request> requests;
    {
        const std::lock_guard lock(mutex_);
        requests.swap(inbox_);
        recorded_.clear();
        overdue_.clear();
    }
    const Failure failure = absence();
    for (const Request& request : requests) {
        if (request.reopen) retire(request.reopen->context);
        request.waiter->settle({.error = failure.waitingFor(described(request.targets))});
    }
    leaveContext();
}

void DeviceCore::leaveContext() {
    if (side_) {
        {
            // The application may have destroyed its context already; then nothing is left to give back.
            const auto state = gl::isLost(side_->gpu.api) ? nullptr : side_->gpu.keepState();
            side_->warmUps->fail(absence());
            side_->queue->close(absence(), headless_ ? context_ : nullptr);
            const std::size_t lent = staging_->lent() + pool_->lentBytes();
            if (!headless_ && lent > 0) {
                log::warn("{}: {} bytes are on lease; they stay in the application's context", options_.label, lent);
            }
        }
        side_.reset();
        counters_.programs = 0;
        counters_.requestsWaiting = 0;
    }
    if (!context_) return;
    context_->doneCurrent();
    // The library's own goes at once, and with it what the driver holds for it.
    if (headless_) {
        context_.reset();
    } else {
        retire(std::exchange(context_, nullptr));
    }
}

void DeviceCore::retire(const std::shared_ptr<GlContext>& context) {
    if (context && std::ranges::find(retired_, context) == retired_.end()) retired_.push_back(context);
}

MemoryInfo DeviceCore::memory() const {
    const std::lock_guard lock(mutex_);
    return {.tensors = residentNodes,
            .recorded = recordedNodes,
            .buffers = pool_->buffers(),
            .live = pool_->liveBytes(),
            .pooled = pool_->idleBytes(),
            .staging = staging_->inUse() + staging_->idle(),
            .stagingInUse = staging_->inUse(),
            .leased = staging_->lent() + pool_->lentBytes(),
            .peak = std::max(peakBefore_, pool_->peakBytes())};
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
            .fencesOverdue = c.fencesOverdue,
            .requestsWaiting = c.requestsWaiting + inbox,
            .programs = c.programs,
            .compiled = c.compiled,
            .loaded = c.loaded,
            .polls = c.polls,
            .debugErrors = c.debugErrors};
}

}  // namespace stile::detail
