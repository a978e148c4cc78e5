#pragma once

#include <asio/async_result.hpp>
#include <asio/cancellation_state.hpp>
#include <asio/compose.hpp>
#include <asio/use_awaitable.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <exception>
#include <iostream>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <stile/detail/asio_compat.hpp>
#include <stile/detail/operation.hpp>
#include <stile/device.hpp>
#include <stile/error.hpp>
#include <stile/export.hpp>
#include <stile/mapped.hpp>
#include <stile/ndarray.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

/// \page downloads Asynchronous operations
///
/// `data`, `array`, `dataInto`, `map`, `print`, `eval`, `Device::idle`, `Device::reopen`, `Device::warmUp`, `Stream::push` and `Stream::next` are Asio
/// asynchronous operations. They take any completion token; the default is `asio::use_awaitable`. What holds for all of them:
///
/// **What happens.** The recorded operations that the tensors need are run on the device, the values are copied to staging
/// memory, a fence is put behind the copy, and the operation completes when the fence has signalled. What is asked for in one
/// turn of a loop starts together at the end of that turn, behind one fence. A tensor whose values are on the CPU completes
/// without GL.
///
/// **Completion signature.** `void(std::exception_ptr, result…)`. The pointer is null on success; otherwise it holds a
/// `stile::Error` and the results are empty.
///
/// **Where the handler runs.** On its associated executor, always posted, exactly once. A handler that has none runs on
/// `asio::system_executor` (Asio's own thread pool), never on the GL thread. Until then the operation counts as outstanding
/// work of that executor. If the execution context is destroyed first, the handler is destroyed uncalled. The context is posted
/// to from another thread, so it must not be made with `ASIO_CONCURRENCY_HINT_UNSAFE`.
///
/// **Allocation.** The handler is kept in memory of its associated allocator, taken by the initiating function and given back on
/// the handler's executor before the handler is called.
///
/// **Per-operation cancellation.** Terminal, partial and total cancellation complete it with
/// `asio::error::operation_aborted`. Work that has not begun is left out; a graph that nobody waits for any more is given up at
/// its next operation; what has been computed stays with its tensors, and the rest can be asked for again. A cancellation that comes
/// while the results are being made comes too late: the operation completes with them.
///
/// **Limits.** Where fences or staging memory are at the device's limit the operation waits its turn, in order; it can be
/// cancelled meanwhile.
///
/// **GL.** glCopyBufferSubData, glFenceSync, glClientWaitSync with no timeout; GL 4.3 or GLES 3.1.
///
/// **Lifetime.** The tensors may be dropped at once; the device may be closed, which completes the operation with
/// `errc::device_closed`.

/// Options of one call.
struct DownloadOptions {
    /// After so long the operation completes with `errc::timed_out`, and says what it waited for; zero leaves it to the device's
    /// own deadline. What it waited for is kept alive until the device is done with it. A negative one is an
    /// `errc::invalid_argument`, thrown at the call.
    std::chrono::nanoseconds deadline{0};
};

namespace detail {

template <Element T>
struct ToVector {
    std::tuple<std::vector<T>> operator()(const Outcome& outcome) const { return {flatValues<T>(outcome.values[0])}; }
};

template <Element T>
struct ToArray {
    Shape shape;
    std::tuple<NdArray<T>> operator()(const Outcome& outcome) const {
        return {NdArray<T>(shape, storedValues<T>(outcome.values[0]))};
    }
};

template <Element... T>
struct ToVectors {
    std::tuple<std::tuple<std::vector<T>...>> operator()(const Outcome& outcome) const {
        return of(outcome.values, std::index_sequence_for<T...>{});
    }
    template <std::size_t... I>
    static std::tuple<std::tuple<std::vector<T>...>> of(std::span<const RawValues> raw, std::index_sequence<I...>) {
        return {std::tuple<std::vector<T>...>(flatValues<T>(raw[I])...)};
    }
};

template <Element T>
struct ToMapped {
    Shape shape;
    std::tuple<Mapped<T>> operator()(const Outcome& outcome) const {
        return {Mapped<T>(shape, outcome.values[0], outcome.memory)};
    }
};

/// Into memory of the caller's, which lives until the handler is called or destroyed.
template <Element T>
struct Into {
    std::span<T> out;
    std::tuple<> operator()(const Outcome& outcome) const {
        const RawValues raw = outcome.values[0];
        if constexpr (std::is_same_v<T, bool>) {
            for (std::size_t i = 0; i < out.size(); ++i) out[i] = raw[4 * i] != std::byte{0};
        } else {
            std::ranges::copy(elementsOf<T>(raw), out.begin());
        }
        return {};
    }
};

struct ToNothing {
    std::tuple<> operator()(const Outcome&) const noexcept { return {}; }
};

template <class Signature, class Convert, class Token>
auto initiate(Token&& token, const char* name, Request request, Convert convert, const DownloadOptions& options = {},
              std::shared_ptr<DeviceCore> device = nullptr) {
    if (options.deadline < std::chrono::nanoseconds::zero()) {
        throw Error(errc::invalid_argument, std::string(name) + ": a negative deadline");
    }
    request.deadline = options.deadline;
    return asio::async_initiate<Token, Signature>(Start{}, token, name, std::move(convert),
                                                  Submit{std::move(request), std::move(device)});
}

}  // namespace detail

template <Element T, class Token>
auto Tensor::data(const DownloadOptions& options, Token&& token) const {
    detail::expectDType("data", *this, dtypeOf<T>);
    return detail::initiate<void(std::exception_ptr, std::vector<T>)>(std::forward<Token>(token), "data", {.targets = {*this}},
                                                                      detail::ToVector<T>{}, options);
}
template <Element T, class Token>
    requires(!std::is_same_v<std::remove_cvref_t<Token>, DownloadOptions>)
auto Tensor::data(Token&& token) const {
    return data<T>(DownloadOptions{}, std::forward<Token>(token));
}
template <Element T>
auto Tensor::data(const DownloadOptions& options) const {
    return data<T>(options, asio::use_awaitable);
}
template <Element T>
auto Tensor::data() const {
    return data<T>(asio::use_awaitable);
}

template <Element T, class Token>
auto Tensor::array(const DownloadOptions& options, Token&& token) const {
    detail::expectDType("array", *this, dtypeOf<T>);
    return detail::initiate<void(std::exception_ptr, NdArray<T>)>(std::forward<Token>(token), "array", {.targets = {*this}},
                                                                  detail::ToArray<T>{shape()}, options);
}
template <Element T, class Token>
    requires(!std::is_same_v<std::remove_cvref_t<Token>, DownloadOptions>)
auto Tensor::array(Token&& token) const {
    return array<T>(DownloadOptions{}, std::forward<Token>(token));
}
template <Element T>
auto Tensor::array(const DownloadOptions& options) const {
    return array<T>(options, asio::use_awaitable);
}
template <Element T>
auto Tensor::array() const {
    return array<T>(asio::use_awaitable);
}

template <Element T, class Token>
auto Tensor::dataInto(std::span<T> out, const DownloadOptions& options, Token&& token) const {
    detail::expectDType("dataInto", *this, dtypeOf<T>);
    detail::expectSize("dataInto", *this, out.size());
    return detail::initiate<void(std::exception_ptr)>(std::forward<Token>(token), "dataInto", {.targets = {*this}},
                                                      detail::Into<T>{out}, options);
}
template <Element T, class Token>
    requires(!std::is_same_v<std::remove_cvref_t<Token>, DownloadOptions>)
auto Tensor::dataInto(std::span<T> out, Token&& token) const {
    return dataInto<T>(out, DownloadOptions{}, std::forward<Token>(token));
}
template <Element T>
auto Tensor::dataInto(std::span<T> out, const DownloadOptions& options) const {
    return dataInto<T>(out, options, asio::use_awaitable);
}
template <Element T>
auto Tensor::dataInto(std::span<T> out) const {
    return dataInto<T>(out, asio::use_awaitable);
}

template <Element T, class Token>
auto Tensor::map(const DownloadOptions& options, Token&& token) const {
    detail::expectDType("map", *this, dtypeOf<T>);
    return detail::initiate<void(std::exception_ptr, Mapped<T>)>(
        std::forward<Token>(token), "map", {.targets = {*this}, .lease = true}, detail::ToMapped<T>{shape()}, options);
}
template <Element T, class Token>
    requires(!std::is_same_v<std::remove_cvref_t<Token>, DownloadOptions>)
auto Tensor::map(Token&& token) const {
    return map<T>(DownloadOptions{}, std::forward<Token>(token));
}
template <Element T>
auto Tensor::map(const DownloadOptions& options) const {
    return map<T>(options, asio::use_awaitable);
}
template <Element T>
auto Tensor::map() const {
    return map<T>(asio::use_awaitable);
}

/// Downloads several tensors behind one fence. The types are given as `data<float, bool>(a, b)`; without any, all are float.
/// DownloadOptions and a completion token may follow the tensors; awaitable by default.
///
/// **Completion signature.** `void(std::exception_ptr, std::tuple<std::vector<T>…>)`. **GL.** As Tensor::data. **Per-operation
/// cancellation.** Terminal, partial, total: `operation_aborted` for all. **Threads.** Callable from any;
/// the handler runs on its associated executor. **Lifetime.** The tensors may be dropped, the device closed. See \ref downloads.
/// \throws Error `wrong_dtype`, or `invalid_argument` for tensors on different devices.
template <Element... T, class... Arguments>
auto data(const Tensor& first, Arguments&&... rest);

/// The same for a list of tensors: `void(std::exception_ptr, std::vector<std::vector<T>>)`. All are of one type, float if none is
/// named. \copydoc data(const Tensor&, Arguments&&...)
template <Element T = float, class... Arguments>
auto data(std::vector<Tensor> tensors, Arguments&&... rest);

/// Runs the recorded operations behind the tensors and waits until they are done; copies nothing. DownloadOptions and a
/// completion token may follow the tensors; awaitable by default. A loop that awaits `eval` keeps pace with the device.
///
/// **Completion signature.** `void(std::exception_ptr)`. **GL.** What the operations dispatch, glFenceSync, glClientWaitSync
/// without a timeout (GL 4.3, GLES 3.1). **Per-operation cancellation.** Terminal, partial, total: `operation_aborted`.
/// **Threads.** Callable from any; the handler runs on its associated executor. **Lifetime.** The tensors may be
/// dropped, the device closed. See \ref downloads.
/// \throws Error `invalid_argument` for tensors on different devices.
template <class... Arguments>
auto eval(const Tensor& first, Arguments&&... rest);
/// The same for a list of tensors. \copydoc eval(const Tensor&, Arguments&&...)
template <class... Arguments>
auto eval(std::vector<Tensor> tensors, Arguments&&... rest);

template <class Token>
auto Device::idle(const DownloadOptions& options, Token&& token) const {
    detail::expectDevice("idle", core());
    return detail::initiate<void(std::exception_ptr)>(std::forward<Token>(token), "idle", {.read = false}, detail::ToNothing{},
                                                      options, core());
}
template <class Token>
    requires(!std::is_same_v<std::remove_cvref_t<Token>, DownloadOptions>)
auto Device::idle(Token&& token) const {
    return idle(DownloadOptions{}, std::forward<Token>(token));
}
inline auto Device::idle(const DownloadOptions& options) const { return idle(options, asio::use_awaitable); }
inline auto Device::idle() const { return idle(asio::use_awaitable); }

template <class Token>
auto Device::reopen(const ReopenOptions& options, Token&& token) const {
    detail::expectDevice("reopen", core());
    return detail::initiate<void(std::exception_ptr)>(std::forward<Token>(token), "reopen",
                                                      {.read = false, .reopen = std::make_shared<ReopenOptions>(options)},
                                                      detail::ToNothing{}, {}, core());
}
template <class Token>
    requires(!std::is_same_v<std::remove_cvref_t<Token>, ReopenOptions>)
auto Device::reopen(Token&& token) const {
    return reopen(ReopenOptions{}, std::forward<Token>(token));
}
inline auto Device::reopen(const ReopenOptions& options) const { return reopen(options, asio::use_awaitable); }
inline auto Device::reopen() const { return reopen(asio::use_awaitable); }

namespace detail {

struct Eval {
    template <class Token>
    auto operator()(std::vector<Tensor> tensors, const DownloadOptions& options, Token&& token) const {
        expectOneDevice("eval", tensors);
        return initiate<void(std::exception_ptr)>(std::forward<Token>(token), "eval",
                                                  {.targets = std::move(tensors), .read = false}, ToNothing{}, options);
    }
};

struct WarmUp {
    std::shared_ptr<DeviceCore> device;
    template <class Token>
    auto operator()(std::vector<Tensor> tensors, const DownloadOptions& options, Token&& token) const {
        expectOnDevice("warmUp", tensors, device);
        return initiate<void(std::exception_ptr)>(std::forward<Token>(token), "warmUp",
                                                  {.targets = std::move(tensors), .read = false, .warmUp = true}, ToNothing{},
                                                  options, device);
    }
};

template <Element... T>
struct Data {
    template <class Token>
    auto operator()(std::vector<Tensor> tensors, const DownloadOptions& options, Token&& token) const {
        const std::array asked{dtypeOf<T>...};
        for (std::size_t i = 0; i < tensors.size(); ++i) expectDType("data", tensors[i], asked[i]);
        expectOneDevice("data", tensors);
        return initiate<void(std::exception_ptr, std::tuple<std::vector<T>...>)>(
            std::forward<Token>(token), "data", {.targets = std::move(tensors)}, ToVectors<T...>{}, options);
    }
};

template <Element T>
struct ToList {
    std::tuple<std::vector<std::vector<T>>> operator()(const Outcome& outcome) const {
        std::vector<std::vector<T>> out;
        for (const RawValues raw : outcome.values) out.push_back(flatValues<T>(raw));
        return {std::move(out)};
    }
};
template <Element T>
struct DataList {
    template <class Token>
    auto operator()(std::vector<Tensor> tensors, const DownloadOptions& options, Token&& token) const {
        for (const Tensor& tensor : tensors) expectDType("data", tensor, dtypeOf<T>);
        expectOneDevice("data", tensors);
        return initiate<void(std::exception_ptr, std::vector<std::vector<T>>)>(
            std::forward<Token>(token), "data", {.targets = std::move(tensors)}, ToList<T>{}, options);
    }
};

template <std::size_t>
using Float = float;
template <std::size_t... I>
Data<Float<I>...> floats(std::index_sequence<I...>);

template <class T>
inline constexpr bool isTensor = std::is_convertible_v<T, Tensor>;

/// Calls `start` with the tensors in front and the options and the completion token behind them, or their defaults.
template <class Start>
auto splitArguments(Start start, std::vector<Tensor> tensors) {
    return start(std::move(tensors), DownloadOptions{}, asio::use_awaitable);
}
template <class Start, class Head, class... Rest>
auto splitArguments(Start start, std::vector<Tensor> tensors, Head&& head, Rest&&... rest) {
    if constexpr (isTensor<Head>) {
        tensors.push_back(std::forward<Head>(head));
        return splitArguments(start, std::move(tensors), std::forward<Rest>(rest)...);
    } else if constexpr (!std::is_same_v<std::remove_cvref_t<Head>, DownloadOptions>) {
        static_assert(sizeof...(Rest) == 0, "a completion token comes last");
        return start(std::move(tensors), DownloadOptions{}, std::forward<Head>(head));
    } else if constexpr (sizeof...(Rest) == 0) {
        return start(std::move(tensors), head, asio::use_awaitable);
    } else {
        static_assert(sizeof...(Rest) == 1, "a completion token comes last");
        return start(std::move(tensors), head, std::forward<Rest>(rest)...);
    }
}

}  // namespace detail

template <class... Arguments>
auto eval(const Tensor& first, Arguments&&... rest) {
    return detail::splitArguments(detail::Eval{}, {first}, std::forward<Arguments>(rest)...);
}
template <class... Arguments>
auto eval(std::vector<Tensor> tensors, Arguments&&... rest) {
    return detail::splitArguments(detail::Eval{}, std::move(tensors), std::forward<Arguments>(rest)...);
}

template <class... Arguments>
auto Device::warmUp(const Tensor& first, Arguments&&... rest) const {
    detail::expectDevice("warmUp", core());
    return detail::splitArguments(detail::WarmUp{core()}, {first}, std::forward<Arguments>(rest)...);
}
template <class... Arguments>
auto Device::warmUp(std::vector<Tensor> tensors, Arguments&&... rest) const {
    detail::expectDevice("warmUp", core());
    return detail::splitArguments(detail::WarmUp{core()}, std::move(tensors), std::forward<Arguments>(rest)...);
}

template <Element T, class... Arguments>
auto data(std::vector<Tensor> tensors, Arguments&&... rest) {
    return detail::splitArguments(detail::DataList<T>{}, std::move(tensors), std::forward<Arguments>(rest)...);
}
template <Element... T, class... Arguments>
auto data(const Tensor& first, Arguments&&... rest) {
    constexpr std::size_t count = 1 + (std::size_t{detail::isTensor<Arguments>} + ... + 0);
    if constexpr (sizeof...(T) == 0) {
        using Start = decltype(detail::floats(std::make_index_sequence<count>{}));
        return detail::splitArguments(Start{}, {first}, std::forward<Arguments>(rest)...);
    } else {
        static_assert(sizeof...(T) == count, "name a type for each tensor, or none");
        return detail::splitArguments(detail::Data<T...>{}, {first}, std::forward<Arguments>(rest)...);
    }
}

namespace detail {

/// A string on its way to standard output: converted by the settling thread, written by the handler's.
struct ToText {
    Tensor tensor;
    std::tuple<std::string> operator()(const Outcome& outcome) const { return {printed(tensor, outcome.values[0])}; }
};

}  // namespace detail

template <class Token>
auto Tensor::print(Token&& token) const {
    return asio::async_compose<Token, void(std::exception_ptr)>(
        [tensor = *this, begun = false](auto& self, std::exception_ptr error = nullptr, std::string text = {}) mutable {
            if (!begun) {
                begun = true;
                self.reset_cancellation_state(asio::enable_total_cancellation());
                detail::initiate<void(std::exception_ptr, std::string)>(std::move(self), "print", {.targets = {tensor}},
                                                                        detail::ToText{tensor});
                return;
            }
            if (!error) std::cout << text << std::endl;
            self.complete(std::move(error));
        },
        token);
}
inline auto Tensor::print() const { return print(asio::use_awaitable); }

}  // namespace stile
