#pragma once

#include <asio/awaitable.hpp>
#include <asio/co_spawn.hpp>
#include <asio/io_context.hpp>

#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

namespace test {

/// Runs a coroutine on a loop of its own until the loop is out of work; gives its result, or throws its exception.
template <class T>
T run(asio::awaitable<T> coroutine) {
    asio::io_context loop;
    std::exception_ptr error;
    if constexpr (std::is_void_v<T>) {
        asio::co_spawn(loop, std::move(coroutine), [&](std::exception_ptr e) { error = e; });
        loop.run();
        if (error) std::rethrow_exception(error);
    } else {
        std::optional<T> result;
        asio::co_spawn(loop, std::move(coroutine), [&](std::exception_ptr e, T value) {
            error = e;
            result.emplace(std::move(value));
        });
        loop.run();
        if (error) std::rethrow_exception(error);
        return std::move(*result);
    }
}

}  // namespace test
