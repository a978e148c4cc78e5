#include <fmt/format.h>

#include <chrono>
#include <complex>
#include <condition_variable>
#include <functional>
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

using Take = std::function<void(detail::RawValues)>;

/// Hands the values over on whichever thread settles, and wakes the blocked one.
class BlockedWaiter final : public detail::Waiter {
  public:
    explicit BlockedWaiter(Take take) : take_(std::move(take)) {}
    bool settle(const detail::Outcome& outcome) noexcept override {
        const std::lock_guard lock(mutex_);
        if (done_) return false;
        error_ = outcome.error;
        try {
            if (!error_) take_(outcome.values.front());
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
    void rethrow() const {
        if (error_) std::rethrow_exception(error_);
    }

  private:
    Take take_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    bool done_ = false;
    std::exception_ptr error_;
};

void readBlocking(const char* what, const Tensor& tensor, std::source_location where, Take take) {
    const auto waiter = std::make_shared<BlockedWaiter>(std::move(take));
    detail::Request request{.targets = {tensor}, .waiter = waiter};
    const detail::Node& node = *tensor.node();
    // Values on the host do not block.
    if (node.shape.size() == 0 || node.isLeaf()) {
        (void)detail::enqueue(std::move(request), nullptr);
        return waiter->rethrow();
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
    waiter->rethrow();
}

}  // namespace

template <Element T>
NdArray<T> Tensor::arraySync(std::source_location where) const {
    detail::expectDType("arraySync", *this, dtypeOf<T>);
    std::vector<Stored<T>> values;
    readBlocking("arraySync", *this, where, [&values](detail::RawValues raw) { values = detail::storedValues<T>(raw); });
    return NdArray<T>(shape(), std::move(values));
}
template <Element T>
std::vector<T> Tensor::dataSync(std::source_location where) const {
    detail::expectDType("dataSync", *this, dtypeOf<T>);
    std::vector<T> values;
    readBlocking("dataSync", *this, where, [&values](detail::RawValues raw) { values = detail::flatValues<T>(raw); });
    return values;
}

template NdArray<float> Tensor::arraySync(std::source_location) const;
template std::vector<float> Tensor::dataSync(std::source_location) const;
template NdArray<std::int32_t> Tensor::arraySync(std::source_location) const;
template std::vector<std::int32_t> Tensor::dataSync(std::source_location) const;
template NdArray<bool> Tensor::arraySync(std::source_location) const;
template std::vector<bool> Tensor::dataSync(std::source_location) const;
template NdArray<std::complex<float>> Tensor::arraySync(std::source_location) const;
template std::vector<std::complex<float>> Tensor::dataSync(std::source_location) const;
template NdArray<std::string> Tensor::arraySync(std::source_location) const;
template std::vector<std::string> Tensor::dataSync(std::source_location) const;

}  // namespace stile
