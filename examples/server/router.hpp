#pragma once

#include <asio/awaitable.hpp>
#include <nlohmann/json_fwd.hpp>

#include <array>
#include <string_view>

#include "http.hpp"
#include "service.hpp"

namespace server {

/// Answers a request. The body of the answer is JSON. \throws HttpError, stile::Error.
using Handler = asio::awaitable<nlohmann::json> (*)(Service&, Request);

asio::awaitable<nlohmann::json> answerStats(Service& service, Request request);
asio::awaitable<nlohmann::json> answerImage(Service& service, Request request);
asio::awaitable<nlohmann::json> answerEigenvalue(Service& service, Request request);
asio::awaitable<nlohmann::json> answerHealth(Service& service, Request request);

struct Route {
    std::string_view path, method;
    std::array<std::string_view, 2> mediaTypes;  ///< of the body; empty if there is none
    Handler handler;
};

/// The route for a request of which the headers are known.
/// \throws HttpError 404, 405 or 415.
[[nodiscard]] const Route& findRoute(const Request& request);

/// Runs the route's handler, in its turn. Never throws: what goes wrong becomes a response, cancellation too.
[[nodiscard]] asio::awaitable<Response> answer(Service& service, const Route& route, Request request);

}  // namespace server
