#include "device/sync_guard.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <ranges>
#include <string_view>
#include <utility>
#include <vector>

#include "log/log.hpp"

namespace stile {
namespace detail {

/// The guards of one thread. Shared: a guard that ends on another thread may outlive this one.
class ThreadGuards {
  public:
    void add(const SyncGuard* guard, SyncPolicy policy) {
        const std::lock_guard lock(mutex_);
        guards_.emplace_back(guard, policy);
    }
    void remove(const SyncGuard* guard) noexcept {
        const std::lock_guard lock(mutex_);
        // Nearly always the last.
        const auto found = std::ranges::find(guards_ | std::views::reverse, guard, &Entry::first);
        guards_.erase(std::next(found).base());
    }
    [[nodiscard]] std::optional<SyncPolicy> innermost() const {
        const std::lock_guard lock(mutex_);
        return guards_.empty() ? std::nullopt : std::optional(guards_.back().second);
    }

  private:
    using Entry = std::pair<const SyncGuard*, SyncPolicy>;
    mutable std::mutex mutex_;
    std::vector<Entry> guards_;
};

namespace {

const std::shared_ptr<ThreadGuards>& guardsHere() {
    thread_local const auto guards = std::make_shared<ThreadGuards>();
    return guards;
}

}  // namespace

std::optional<SyncPolicy> forcedSyncPolicy() {
    const char* text = std::getenv("STILE_SYNC");
    const std::string_view policy = text ? text : "";
    if (policy == "error") return SyncPolicy::error;
    if (policy == "warn") return SyncPolicy::warn;
    if (policy == "allow") return SyncPolicy::allow;
    if (!policy.empty()) log::warn("STILE_SYNC is {}, which is none of error, warn and allow", policy);
    return std::nullopt;
}

SyncPolicy syncPolicyHere(SyncPolicy ofDevice) { return guardsHere()->innermost().value_or(ofDevice); }

}  // namespace detail

SyncGuard::SyncGuard(SyncPolicy policy) : thread_(detail::guardsHere()) { thread_->add(this, policy); }
SyncGuard::~SyncGuard() { thread_->remove(this); }

}  // namespace stile
