#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "device/sync_guard.hpp"
#include "download/queue.hpp"
#include "engine/engine.hpp"
#include "gl/fence.hpp"
#include "gl/gpu.hpp"
#include "stile/detail/gl_executor.hpp"
#include "stile/detail/waiter.hpp"
#include "stile/device.hpp"
#include "tensor/describe.hpp"
#include "tensor/home.hpp"
#include "trace/activity.hpp"
#include "trace/file.hpp"
#include "trace/recorder.hpp"

namespace stile::detail {

class GlThread;

/// A device: what comes from any thread is gathered here and carried to the executor on which GL may be called.
class DeviceCore final : public Home, public std::enable_shared_from_this<DeviceCore> {
  public:
    DeviceCore(std::unique_ptr<GlExecutor> executor, const DeviceOptions& options);
    ~DeviceCore() override;
    DeviceCore(const DeviceCore&) = delete;
    DeviceCore& operator=(const DeviceCore&) = delete;

    /// On a GL thread, with a context that it makes current there. \throws Error `no_context`.
    void openHere(std::shared_ptr<GlContext> context);
    /// On the application's executor, with the context that is current there. \throws Error `no_context`.
    void openHere(const gl::Loader& loader);

    // From any thread.

    void recorded(const NodePtr& node) override;
    [[nodiscard]] const std::string& label() const noexcept override { return options_.label; }
    /// Takes a request; see detail::enqueue.
    [[nodiscard]] Flush enqueue(Request request, const void* context);
    /// Has everything taken so far started.
    void flush();
    /// \throws Error `would_deadlock` where a blocking call would wait for ever.
    void expectMayBlock() const;
    /// Starts a request and blocks until it is settled.
    void runBlocking(Request request, const std::function<bool()>& settled,
                     const std::function<bool(download::Clock::duration)>& wait);
    /// See Device::close.
    void close() noexcept;
    [[nodiscard]] bool isOpen() const noexcept { return !closed_; }
    [[nodiscard]] const DeviceOptions& options() const noexcept { return options_; }
    /// What a blocking download does on the calling thread.
    [[nodiscard]] SyncPolicy syncPolicy() const { return forcedSync_ ? *forcedSync_ : syncPolicyHere(options_.sync); }
    [[nodiscard]] const DriverInfo& driver() const;
    [[nodiscard]] MemoryInfo memory() const;
    [[nodiscard]] DeviceStats stats() const;
    [[nodiscard]] DeviceStatus status() const;
    /// What it is doing, for whoever wants to watch.
    [[nodiscard]] trace::Activity& activity() const noexcept { return *activity_; }
    [[nodiscard]] const gl::Counters& counters() const noexcept { return counters_; }

  private:
    /// What lives in the context: made and destroyed on the GL executor.
    struct GlSide;

    /// Sets the deadline of a request's call.
    void arm(const Request& request);
    void openSide(const gl::Loader& loader, bool es);
    void orphan();
    void drain();
    void start(std::vector<Request> requests, const std::vector<std::weak_ptr<Node>>& overdue);
    void reopenHere(Request request);
    void closeHere();
    /// Fails everything on the context and lets go of what lives in it.
    void leaveContext();
    void retire(const std::shared_ptr<GlContext>& context);
    /// Why nothing can be done without a context.
    [[nodiscard]] Failure absence() const;
    [[nodiscard]] bool isAttached() const noexcept { return ownThread_ == nullptr; }

    const DeviceOptions options_;
    const std::optional<SyncPolicy> forcedSync_ = forcedSyncPolicy();
    // On the GL executor; `retired_` also by whoever closes the device, at the end.
    std::shared_ptr<GlContext> context_;               ///< null if the application's is used
    bool headless_;                                    ///< the context is the library's own
    std::vector<std::shared_ptr<GlContext>> retired_;  ///< the application's, to be let go on the thread that closes the device
    std::unique_ptr<GlSide> side_;                     ///< null once closed, and where a lost context could not be replaced
    bool draining_ = false;                            ///< on the GL executor

    mutable std::mutex mutex_;
    std::vector<Request> inbox_;
    const void* turnOf_ = nullptr;  ///< the context whose turn has a Flush on its way
    trace::Time turnSince_{};       ///< when the first of its requests came
    std::size_t turnRequests_ = 0;
    std::vector<std::weak_ptr<Node>> recorded_;
    std::size_t lookAt_ = options_.maxRecorded;  ///< at how many of these it is looked which of them still wait
    std::vector<std::weak_ptr<Node>> overdue_;   ///< recorded and to be submitted
    bool drainPosted_ = false;
    bool drainLater_ = false;  ///< something in the inbox is in no hurry, and a timer will look after it
    std::atomic<bool> closed_{false};
    gl::Counters counters_;
    std::list<DriverInfo> drivers_;         ///< of the contexts so far: references to them stay valid
    std::shared_ptr<gl::BufferPool> pool_;  ///< of the latest context
    const std::shared_ptr<trace::Activity> activity_ = std::make_shared<trace::Activity>();
    std::shared_ptr<download::Staging> staging_;
    std::size_t peakBefore_ = 0;  ///< of the contexts before

    std::unique_ptr<GlExecutor> executor_;  ///< destroyed first: nothing runs on it any more after that
    GlThread* const ownThread_;             ///< the executor, if it is a thread of the library's own
};

}  // namespace stile::detail
