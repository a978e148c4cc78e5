#pragma once

#include <asio/use_awaitable.hpp>

#include <exception>
#include <functional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <stile/download.hpp>

namespace stile::detail {

/// A result whose shape depends on values: what is computed on the host from its downloaded inputs, which are given in their
/// order. What `compute` throws, the operation completes with.
template <class Result>
struct Computation {
    const char* name = "";
    std::vector<Tensor> inputs{};
    std::function<Result(std::span<const RawValues>)> compute{};
};

template <class Result>
struct ToResult {
    std::function<Result(std::span<const RawValues>)> compute;
    std::tuple<Result> operator()(const Outcome& outcome) const { return {compute(outcome.values)}; }
};

/// Starts one; DownloadOptions and a completion token may follow.
template <class Result, class Token>
    requires(!std::is_same_v<std::remove_cvref_t<Token>, DownloadOptions>)
auto start(Computation<Result> what, Token&& token, const DownloadOptions& options = {}) {
    return initiate<void(std::exception_ptr, Result)>(std::forward<Token>(token), what.name,
                                                      {.targets = std::move(what.inputs)},
                                                      ToResult<Result>{std::move(what.compute)}, options);
}
template <class Result, class Token>
auto start(Computation<Result> what, const DownloadOptions& options, Token&& token) {
    return start(std::move(what), std::forward<Token>(token), options);
}
template <class Result>
auto start(Computation<Result> what, const DownloadOptions& options) {
    return start(std::move(what), asio::use_awaitable, options);
}
template <class Result>
auto start(Computation<Result> what) {
    return start(std::move(what), asio::use_awaitable);
}

}  // namespace stile::detail
