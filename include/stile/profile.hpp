#pragma once

#include <asio/awaitable.hpp>
#include <asio/cancellation_state.hpp>
#include <asio/compose.hpp>
#include <asio/use_awaitable.hpp>

#include <exception>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include <stile/detail/measurement.hpp>
#include <stile/download.hpp>
#include <stile/export.hpp>
#include <stile/profile_info.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

/// \page measuring Measuring
///
/// `time(f)` and `profile(f)` call a function, wait for its results on the device, and tell what that took. `f` takes
/// nothing and returns a Tensor, a vector of tensors (both are computed if they are not yet, but not downloaded), nothing, another value, or an
/// `asio::awaitable` of one of these. If it returns no tensor, what is waited for is the work that it has submitted: what
/// it only records is not run. They measure the whole device while `f` runs, whoever asks for work.
///
/// **Completion signature.** `void(std::exception_ptr, Timing)` and `void(std::exception_ptr, Profile<R>)`, for any
/// completion token; with an `f` that returns an awaitable they are awaitables themselves. What `f` throws is what they
/// complete with.
///
/// **GL.** What the tensors need, glFenceSync, and glQueryCounter around each kernel (GL 3.3 or EXT_disjoint_timer_query; without
/// it there are no kernel times). Times are polled, nobody waits for them.
///
/// **Where the handler runs, cancellation, lifetime.** As with \ref downloads; `f` is called by the initiating function, and
/// lives until the operation completes.

/// The same with what the function returned.
template <class Result>
struct Profile : ProfileInfo {
    Result result{};  ///< what it returned or its awaitable gave
};
/// Of a function that returns nothing.
template <>
struct Profile<void> : ProfileInfo {};

namespace detail {

template <class T>
struct AwaitedBy {
    using Result = T;
    static constexpr bool isAwaitable = false;
};
template <class T, class E>
struct AwaitedBy<asio::awaitable<T, E>> {
    using Result = T;
    using Executor = E;
    static constexpr bool isAwaitable = true;
};
template <class Function>
using Returned = AwaitedBy<std::remove_cvref_t<std::invoke_result_t<Function&>>>;

inline std::vector<Tensor> tensorsOf(const Tensor& result) { return {result}; }
inline std::vector<Tensor> tensorsOf(const std::vector<Tensor>& result) { return result; }
template <class Result>
std::vector<Tensor> tensorsOf(const Result&) {
    return {};
}

/// What `time` makes of a measurement.
template <class Result>
struct ToTiming {
    static constexpr const char* name = "time";
    using Out = Timing;
    template <class... R>
    static Out make(const Measurement& measurement, R&&...) {
        return measurement.timing();
    }
};
/// What `profile` makes of one.
template <class Result>
struct ToProfile {
    static constexpr const char* name = "profile";
    using Out = Profile<Result>;
    template <class... R>
    static Out make(const Measurement& measurement, R&&... result) {
        return {measurement.profile(), std::forward<R>(result)...};
    }
};

/// Waits for tensors, or without any for everything submitted.
template <class Token>
auto waitFor(const char* name, std::vector<Tensor> tensors, const std::shared_ptr<DeviceCore>& device, Token&& token) {
    std::shared_ptr<DeviceCore> all = tensors.empty() ? device : nullptr;
    return initiate<void(std::exception_ptr)>(std::forward<Token>(token), name,
                                              Request{.targets = std::move(tensors), .read = false}, ToNothing{}, {},
                                              std::move(all));
}

template <class Function, template <class> class To>
class Measured {
  public:
    using Result = typename Returned<Function>::Result;
    using Out = typename To<Result>::Out;

    Measured(std::shared_ptr<DeviceCore> device, Function function)
        : device_(std::move(device)), function_(std::move(function)) {}

    template <class Self>
    void operator()(Self& self, std::exception_ptr error = nullptr) {
        std::vector<Tensor> tensors;
        if (!measurement_) {
            self.reset_cancellation_state(asio::enable_total_cancellation());
            measurement_ = std::make_unique<Measurement>(device_);
            try {
                if constexpr (std::is_void_v<Result>) {
                    std::invoke(function_);
                } else {
                    result_ = std::make_unique<Result>(std::invoke(function_));
                    tensors = tensorsOf(*result_);
                    expectOneDevice(To<Result>::name, tensors);
                }
            } catch (...) {
                error_ = std::current_exception();
            }
        } else {
            if (!stopped_) measurement_->stop();
            stopped_ = true;
            if (!error_) error_ = std::move(error);
            if (error_ || measurement_->isComplete()) return finish(self);
        }
        const auto device = device_;  // `self` takes this along
        waitFor(To<Result>::name, std::move(tensors), device, std::move(self));
    }

  private:
    template <class Self>
    void finish(Self& self) {
        Out out{};
        if (!error_) {
            if constexpr (std::is_void_v<Result>) {
                out = To<Result>::make(*measurement_);
            } else {
                out = To<Result>::make(*measurement_, std::move(*result_));
            }
        }
        measurement_.reset();
        self.complete(std::move(error_), std::move(out));
    }

    struct Nothing {};
    std::shared_ptr<DeviceCore> device_;
    Function function_;
    std::unique_ptr<Measurement> measurement_;
    std::unique_ptr<std::conditional_t<std::is_void_v<Result>, Nothing, Result>> result_;
    std::exception_ptr error_;
    bool stopped_ = false;
};

template <template <class> class To, class Function>
asio::awaitable<typename To<typename Returned<Function>::Result>::Out, typename Returned<Function>::Executor> measureAwaited(
    std::shared_ptr<DeviceCore> device, Function function) {
    using Result = typename Returned<Function>::Result;
    const asio::use_awaitable_t<typename Returned<Function>::Executor> token;
    const char* const name = To<Result>::name;
    const std::vector<Tensor> none;
    Measurement measurement(device);
    if constexpr (std::is_void_v<Result>) {
        co_await std::invoke(function);
        co_await waitFor(name, none, device, token);
        measurement.stop();
        while (!measurement.isComplete()) co_await waitFor(name, none, device, token);
        co_return To<Result>::make(measurement);
    } else {
        Result result = co_await std::invoke(function);
        const std::vector<Tensor> tensors = tensorsOf(result);
        expectOneDevice(name, tensors);
        co_await waitFor(name, tensors, device, token);
        measurement.stop();
        while (!measurement.isComplete()) co_await waitFor(name, none, device, token);
        co_return To<Result>::make(measurement, std::move(result));
    }
}

template <template <class> class To, class Function, class Token>
auto measure(std::shared_ptr<DeviceCore> device, Function function, Token&& token) {
    static_assert(!Returned<Function>::isAwaitable, "the measurement of a coroutine is awaited: it takes no token");
    using Work = Measured<Function, To>;
    return asio::async_compose<Token, void(std::exception_ptr, typename Work::Out)>(
        Work(std::move(device), std::move(function)), token);
}

template <template <class> class To, class Function>
auto measure(std::shared_ptr<DeviceCore> device, Function function) {
    if constexpr (Returned<Function>::isAwaitable) {
        return measureAwaited<To, Function>(std::move(device), std::move(function));
    } else {
        return measure<To>(std::move(device), std::move(function), asio::use_awaitable);
    }
}

template <class Function>
concept Measurable = std::invocable<std::decay_t<Function>&>;

}  // namespace detail

/// Calls `f` and tells what it took on a device. A completion token may follow, unless `f` returns an awaitable; awaitable by
/// default.
///
/// **Completion signature.** `void(std::exception_ptr, Timing)`. **GL.** What the results need, glQueryCounter around each kernel
/// (GL 3.3, EXT_disjoint_timer_query), glFenceSync. **Per-operation cancellation.** Terminal, partial, total: `operation_aborted`;
/// work that runs goes on. **Threads.** Callable from any; calls `f` on this one, the handler runs on its associated executor.
/// **Lifetime.** `f` is copied and lives until the end; the device may be closed. See \ref measuring.
/// \throws Error `no_device` after a move.
template <detail::Measurable Function, class... Token>
auto time(const Device& device, Function&& f, Token&&... token) {
    detail::expectDevice("time", device.core());
    return detail::measure<detail::ToTiming, std::decay_t<Function>>(device.core(), std::forward<Function>(f),
                                                                     std::forward<Token>(token)...);
}
/// The same on the default device. \throws Error `no_device` if none is open.
template <detail::Measurable Function, class... Token>
auto time(Function&& f, Token&&... token) {
    return detail::measure<detail::ToTiming, std::decay_t<Function>>(detail::deviceToMeasure("time"), std::forward<Function>(f),
                                                                     std::forward<Token>(token)...);
}

/// Calls `f` and tells which kernels it ran and what they made. A completion token may follow, unless `f` returns an awaitable;
/// awaitable by default.
///
/// **Completion signature.** `void(std::exception_ptr, Profile<R>)`, where `f` gives an `R`. **GL.** As `time`. **Per-operation
/// cancellation.** As `time`. **Threads.** As `time`. **Lifetime.** As `time`. See \ref measuring.
/// \throws Error `no_device` after a move.
template <detail::Measurable Function, class... Token>
auto profile(const Device& device, Function&& f, Token&&... token) {
    detail::expectDevice("profile", device.core());
    return detail::measure<detail::ToProfile, std::decay_t<Function>>(device.core(), std::forward<Function>(f),
                                                                      std::forward<Token>(token)...);
}
/// The same on the default device. \throws Error `no_device` if none is open.
template <detail::Measurable Function, class... Token>
auto profile(Function&& f, Token&&... token) {
    return detail::measure<detail::ToProfile, std::decay_t<Function>>(detail::deviceToMeasure("profile"),
                                                                      std::forward<Function>(f), std::forward<Token>(token)...);
}

}  // namespace stile
