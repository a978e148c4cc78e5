#pragma once

#include <asio/version.hpp>

// Asio 1.22 has these in asio::experimental; later versions in asio itself.
#if ASIO_VERSION < 102400
#include <asio/experimental/as_tuple.hpp>
#include <asio/experimental/deferred.hpp>
namespace stile::compat {
using asio::experimental::as_tuple;
using asio::experimental::deferred;
}  // namespace stile::compat
#else
#include <asio/as_tuple.hpp>
#include <asio/deferred.hpp>
namespace stile::compat {
using asio::as_tuple;
using asio::deferred;
}  // namespace stile::compat
#endif
