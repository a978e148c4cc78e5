#pragma once

#include <asio/version.hpp>

#include <utility>

// Asio 1.22 has the tokens in asio::experimental, and its executors keep `execute` to themselves; later versions have the tokens
// in asio itself and deprecate the free function.
#if ASIO_VERSION < 102400
#include <asio/execution/execute.hpp>
#include <asio/experimental/as_tuple.hpp>
#include <asio/experimental/deferred.hpp>
namespace stile::compat {
using asio::experimental::as_tuple;
using asio::experimental::deferred;
template <class Executor, class Function>
void execute(const Executor& executor, Function&& function) {
    asio::execution::execute(executor, std::forward<Function>(function));
}
}  // namespace stile::compat
#else
#include <asio/as_tuple.hpp>
#include <asio/deferred.hpp>
namespace stile::compat {
using asio::as_tuple;
using asio::deferred;
template <class Executor, class Function>
void execute(const Executor& executor, Function&& function) {
    executor.execute(std::forward<Function>(function));
}
}  // namespace stile::compat
#endif
