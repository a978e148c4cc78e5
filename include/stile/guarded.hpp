#pragma once

#include <asio/execution/executor.hpp>
#include <asio/execution_context.hpp>
#include <asio/prefer.hpp>
#include <asio/query.hpp>
#include <asio/require.hpp>

#include <type_traits>
#include <utility>

#include <stile/detail/asio_compat.hpp>
#include <stile/sync.hpp>

namespace stile {

namespace detail {

/// A function that runs under a policy.
template <class Function>
struct UnderPolicy {
    SyncPolicy policy;
    Function function;

    void operator()() {
        const SyncGuard guard(policy);
        std::move(function)();
    }
};

}  // namespace detail

/// Another executor, under whose functions a SyncPolicy holds for the thread that runs them. Thus the policy goes with a
/// coroutine, across every await and from thread to thread:
///
/// \code
/// asio::co_spawn(stile::guarded(loop.get_executor(), stile::SyncPolicy::error), app(), asio::detached);
/// \endcode
///
/// It meets Asio's requirements of an executor, converts to `asio::any_io_executor`, and has the other's context and
/// properties. Where one is put around another the outer one counts.
template <class Executor>
class GuardedExecutor {
  public:
    /// The other executor.
    using inner_executor_type = Executor;

    /// Puts the policy around `executor`.
    GuardedExecutor(Executor executor, SyncPolicy policy) noexcept : executor_(std::move(executor)), policy_(policy) {}

    /// The other executor.
    [[nodiscard]] const Executor& get_inner_executor() const noexcept { return executor_; }
    /// The policy.
    [[nodiscard]] SyncPolicy policy() const noexcept { return policy_; }

    /// Asks the other executor.
    template <class Property>
        requires asio::can_query<const Executor&, Property>::value
    auto query(const Property& property) const noexcept(asio::is_nothrow_query<const Executor&, Property>::value) ->
        typename asio::query_result<const Executor&, Property>::type {
        return asio::query(executor_, property);
    }
    /// The same policy around the other executor with the property.
    template <class Property>
        requires asio::can_require<const Executor&, Property>::value
    auto require(const Property& property) const noexcept(asio::is_nothrow_require<const Executor&, Property>::value) {
        return around(asio::require(executor_, property));
    }
    /// The same policy around the other executor with the property, if it can.
    template <class Property>
        requires asio::can_prefer<const Executor&, Property>::value
    auto prefer(const Property& property) const noexcept(asio::is_nothrow_prefer<const Executor&, Property>::value) {
        return around(asio::prefer(executor_, property));
    }
    /// Runs a function under the policy.
    template <class Function>
    void execute(Function&& function) const {
        compat::execute(executor_, detail::UnderPolicy<std::decay_t<Function>>{policy_, std::forward<Function>(function)});
    }

    /// Whether executor and policy are the same.
    friend bool operator==(const GuardedExecutor& a, const GuardedExecutor& b) noexcept {
        return a.policy_ == b.policy_ && a.executor_ == b.executor_;
    }

  private:
    template <class Other>
    [[nodiscard]] GuardedExecutor<std::decay_t<Other>> around(Other&& other) const noexcept {
        return {std::forward<Other>(other), policy_};
    }

    Executor executor_;
    SyncPolicy policy_;
};

/// The executor with the policy around it.
template <class Executor>
    requires(!std::is_convertible_v<Executor&, asio::execution_context&>)
[[nodiscard]] auto guarded(const Executor& executor, SyncPolicy policy) {
    return GuardedExecutor<Executor>(executor, policy);
}
/// The executor of a context, such as an `asio::io_context`, with the policy around it.
template <class Context>
    requires std::is_convertible_v<Context&, asio::execution_context&>
[[nodiscard]] auto guarded(Context& context, SyncPolicy policy) {
    return guarded(context.get_executor(), policy);
}

}  // namespace stile
