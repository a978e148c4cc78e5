#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <stile/export.hpp>

namespace stile STILE_EXPORT {

namespace detail {
class ThreadGuards;
}

/// What a blocking download does.
///
/// Which policy counts: that of the environment variable STILE_SYNC (error, warn or allow) above all; then that of the
/// innermost SyncGuard of the thread, or of the GuardedExecutor whose function runs on it (<stile/guarded.hpp>); then that of
/// the device, DeviceOptions::sync.
enum class SyncPolicy : std::uint8_t {
    warn,   ///< works, and logs a warning once for each call site
    error,  ///< throws `errc::sync_forbidden`
    allow,  ///< works silently
};

/// Sets the policy for the thread that makes it, while it lives. Guards nest; the one made last counts. They may end in any
/// order and on any thread, each takes its own policy away. A coroutine that awaits may go on on another thread, and others
/// run on its thread meanwhile: give it a policy of its own with `guarded` instead.
class SyncGuard {
  public:
    /// Begins it on this thread.
    explicit SyncGuard(SyncPolicy policy);
    /// Ends it on the thread that made it.
    ~SyncGuard();
    SyncGuard(const SyncGuard&) = delete;
    SyncGuard& operator=(const SyncGuard&) = delete;

  private:
    std::shared_ptr<detail::ThreadGuards> thread_;
};

/// A place in the source that has blocked a thread where that was neither allowed nor forbidden.
struct SyncSite {
    std::string file;         ///< as the compiler names it
    unsigned line = 0;        ///< of the call
    std::string call;         ///< `arraySync` or `dataSync`
    std::int64_t blocks = 0;  ///< how often
    double totalMs = 0;       ///< for how long in all
};

/// The places that have warned so far, the longest total first. At the end of the process they are written to standard error
/// if one of them has blocked more than once; not if a log sink is set, which may be gone by then.
[[nodiscard]] std::vector<SyncSite> syncSites();

}  // namespace stile
