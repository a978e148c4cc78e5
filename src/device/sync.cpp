#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "device/device_core.hpp"
#include "device/sync_sites.hpp"
#include "gl/blocking.hpp"
#include "stile/detail/delivery.hpp"
#include "stile/error.hpp"
#include "stile/tensor.hpp"
#include "tensor/node.hpp"
#include "trace/file.hpp"

namespace stile {

namespace {

/// Takes the bytes on whichever thread settles, and wakes the blocked one.
class BlockedWaiter final : public detail::Waiter {
  public:
    bool settle(const detail::Outcome& outcome) noexcept override {
        const std::lock_guard lock(mutex_);
        if (done_) return false;
        error_ = outcome.error;
        try {
            if (!error_) bytes_.assign(outcome.values.front().begin(), outcome.values.front().end());
        } catch (...) {
            error_ = std::current_exception();
        }
        done_ = true;
        changed_.notify_all();
        return true;
    }
    [[nodiscard]] bool abandoned() const noexcept override {
        const std::lock_guard lock(mutex_);
        return done_;
    }
    bool waitFor(download::Clock::duration atMost) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, atMost, [this] { return done_; });
    }
    /// From now on nobody waits.
    void leave() {
        const std::lock_guard lock(mutex_);
        done_ = true;
    }
    std::vector<std::byte> take() {
        if (error_) std::rethrow_exception(error_);
        return std::move(bytes_);
    }

  private:
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    bool done_ = false;
    std::exception_ptr error_;
    std::vector<std::byte> bytes_;
};

std::vector<std::byte> readBlocking(const char* what, const Tensor& tensor, std::source_location where) {
    const auto waiter = std::make_shared<BlockedWaiter>();
    detail::Request request{.targets = {tensor}, .waiter = waiter};
    const detail::Node& node = *tensor.node();
    // Values on the host do not block.
    if (node.shape.size() == 0 || node.isLeaf()) {
        (void)detail::enqueue(std::move(request), nullptr);
        return waiter->take();
    }
    const auto home = node.home ? node.home : detail::defaultHome();
    if (!home) throw Error(errc::no_device, std::string(what) + ": open a stile::Device first");
    auto& core = static_cast<detail::DeviceCore&>(*home);
    const SyncPolicy policy = core.syncPolicy();
    if (policy == SyncPolicy::error) {
        throw Error(errc::sync_forbidden, fmt::format("{}:{}: {} of {} {}", where.file_name(), where.line(), what,
                                                      name(tensor.dtype()), toString(tensor.shape())));
    }
    core.expectMayBlock();
    gl::countBlocking(fmt::format("{}:{}: {}", where.file_name(), where.line(), what));
    const trace::Slice slice("loop", what);
    const auto start = download::Clock::now();
    try {
        core.runBlocking(
            std::move(request), [&] { return waiter->abandoned(); },
            [&](download::Clock::duration atMost) { return waiter->waitFor(atMost); });
    } catch (...) {
        waiter->leave();
        throw;
    }
    if (policy == SyncPolicy::warn) {
        detail::warnBlocked(what, where, download::Clock::now() - start, detail::readyHere());
    }
    return waiter->take();
}

}  // namespace

template <Element T>
NdArray<T> Tensor::arraySync(std::source_location where) const {
    detail::expectDType("arraySync", *this, dtypeOf<T>);
    return NdArray<T>(shape(), detail::storedValues<T>(readBlocking("arraySync", *this, where)));
}
template <Element T>
std::vector<T> Tensor::dataSync(std::source_location where) const {
    detail::expectDType("dataSync", *this, dtypeOf<T>);
    return detail::flatValues<T>(readBlocking("dataSync", *this, where));
}

template NdArray<float> Tensor::arraySync(std::source_location) const;
template NdArray<std::int32_t> Tensor::arraySync(std::source_location) const;
template NdArray<bool> Tensor::arraySync(std::source_location) const;
template std::vector<float> Tensor::dataSync(std::source_location) const;
template std::vector<std::int32_t> Tensor::dataSync(std::source_location) const;
template std::vector<bool> Tensor::dataSync(std::source_location) const;

}  // namespace stile
