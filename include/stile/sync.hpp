#pragma once

#include <cstdint>

#include <stile/export.hpp>

namespace stile STILE_EXPORT {

/// What a blocking download does.
enum class SyncPolicy : std::uint8_t {
    warn,   ///< works, and logs a warning once for each call site
    error,  ///< throws `errc::sync_forbidden`
    allow,  ///< works silently
};

/// Sets the policy for the calling thread while it lives, above that of the device. Scopes nest; the innermost counts.
/// Not to be held across a `co_await`: the coroutine may go on on another thread.
class SyncScope {
  public:
    /// Begins the scope.
    explicit SyncScope(SyncPolicy policy) noexcept;
    /// Ends it; the outer one counts again.
    ~SyncScope();
    SyncScope(const SyncScope&) = delete;
    SyncScope& operator=(const SyncScope&) = delete;

  private:
    SyncScope* outer_;
    SyncPolicy policy_;
    friend class SyncScopes;
};

}  // namespace stile
