#pragma once

#include <asio/associated_executor.hpp>
#include <asio/async_result.hpp>
#include <asio/awaitable.hpp>
#include <asio/executor_work_guard.hpp>
#include <asio/post.hpp>
#include <asio/thread_pool.hpp>
#include <asio/use_awaitable.hpp>

#include <exception>
#include <type_traits>
#include <utility>

namespace server {

/// A thread for what takes the CPU longer than the loop may be kept: decoding images, parsing JSON.
class Worker {
  public:
    /// Calls `function` on that thread; the coroutine goes on on its own executor. Cancellation does not end it: what is given
    /// to it is bounded by the limits on bodies and pixels.
    template <class Function>
    asio::awaitable<std::invoke_result_t<Function&>> run(Function function) {
        using Result = std::invoke_result_t<Function&>;
        return asio::async_initiate<const asio::use_awaitable_t<>&, void(std::exception_ptr, Result)>(
            [this](auto handler, Function f) {
                auto work = asio::make_work_guard(asio::get_associated_executor(handler));
                asio::post(pool_, [work = std::move(work), handler = std::move(handler), f = std::move(f)]() mutable {
                    std::exception_ptr error;
                    Result result{};
                    try {
                        result = f();
                    } catch (...) {
                        error = std::current_exception();
                    }
                    // The handler goes back first: it must not be destroyed on this thread.
                    const auto executor = work.get_executor();
                    asio::post(executor, [work = std::move(work), handler = std::move(handler), error = std::move(error),
                                          result = std::move(result)]() mutable {
                        work.reset();
                        handler(std::move(error), std::move(result));
                    });
                });
            },
            asio::use_awaitable, std::move(function));
    }

  private:
    asio::thread_pool pool_{1};
};

}  // namespace server
