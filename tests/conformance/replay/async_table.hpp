#pragma once

#include <asio/awaitable.hpp>

#include <span>
#include <string_view>

#include "argument.hpp"
#include "results.hpp"

namespace replay {

/// An operation that is awaitable only, because its output shape depends on data. The arguments are taken by value: the call is a
/// coroutine that outlives its caller's expression.
struct AsyncRow {
    std::string_view op;
    asio::awaitable<Results> (*call)(Arguments);
};

/// The row of an operation; null if there is none.
[[nodiscard]] const AsyncRow* findAsyncRow(std::string_view op);

}  // namespace replay
