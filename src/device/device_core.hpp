#pragma once

#include <atomic>
#include <functional>
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

namespace stile::detail {

/// A device: what comes from any thread is gathered here and carried to the executor on which GL may be called.
class DeviceCore final : public Home, public std::enable_shared_from_this<DeviceCore> {
  public:
    /// `context` is made current on the executor, or is null if one is current there for good.
    DeviceCore(std::unique_ptr<GlExecutor> executor, std::shared_ptr<GlContext> context, const DeviceOptions& options);
    ~DeviceCore() override;
    DeviceCore(const DeviceCore&) = delete;
    DeviceCore& operator=(const DeviceCore&) = delete;

    /// On the GL executor. \throws Error `no_context`.
    void openHere(const std::function<void*(const char*)>& loader, bool es);

    // From any thread.

    void recorded(const NodePtr& node) override;
    [[nodiscard]] const std::string& label() const noexcept override { return options_.label; }
    /// Takes a request; see detail::enqueue.
    [[nodiscard]] Flush enqueue(Request request, const void* context);
    /// Has everything taken so far started.
    void flush();
    /// Starts a request and blocks until it is settled.
    /// \throws Error `would_deadlock` where that would never happen.
    void runBlocking(Request request, const std::function<bool()>& settled,
                     const std::function<bool(download::Clock::duration)>& wait);
    /// See Device::close.
    void close() noexcept;
    [[nodiscard]] bool isOpen() const noexcept { return !closed_; }
    [[nodiscard]] const DeviceOptions& options() const noexcept { return options_; }
    /// What a blocking download does on the calling thread.
    [[nodiscard]] SyncPolicy syncPolicy() const { return forcedSync_ ? *forcedSync_ : syncPolicyHere(options_.sync); }
    [[nodiscard]] const DriverInfo& driver() const noexcept { return driver_; }
    [[nodiscard]] MemoryInfo memory() const;
    [[nodiscard]] DeviceStats stats() const;

  private:
    /// What lives in the context: made and destroyed on the GL executor.
    struct GlSide;

    /// Sets the deadline of a request's call.
    void arm(const Request& request);
    void drain();
    void closeHere();
    [[nodiscard]] Failure closedFailure() const;

    const DeviceOptions options_;
    const std::optional<SyncPolicy> forcedSync_ = forcedSyncPolicy();
    DriverInfo driver_;
    std::shared_ptr<GlContext> context_;
    std::unique_ptr<GlSide> side_;
    bool draining_ = false;  ///< on the GL executor

    mutable std::mutex mutex_;
    std::vector<Request> inbox_;
    const void* turnOf_ = nullptr;  ///< the context whose turn has a Flush on its way
    std::vector<std::weak_ptr<Node>> recorded_;
    std::vector<std::weak_ptr<Node>> overdue_;  ///< recorded and to be submitted
    bool drainPosted_ = false;
    std::atomic<bool> closed_{false};
    gl::Counters counters_;
    std::shared_ptr<gl::BufferPool> pool_;
    std::shared_ptr<download::Staging> staging_;

    std::unique_ptr<GlExecutor> executor_;  ///< destroyed first: nothing runs on it any more after that
};

}  // namespace stile::detail
