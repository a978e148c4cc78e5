#include "router.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include <stile/error.hpp>

namespace server {
namespace {

constexpr std::array routes{
    Route{"/stats", "POST", {"application/json"}, answerStats},
    Route{"/image", "POST", {"image/png", "image/jpeg"}, answerImage},
    Route{"/eigenvalue", "POST", {"application/json"}, answerEigenvalue},
    Route{"/health", "GET", {}, answerHealth},
};

std::string allowed(const Route& route) { return route.method == "GET" ? "GET, HEAD" : std::string(route.method); }

std::string wanted(const Route& route) {
    return route.mediaTypes[1].empty() ? std::string(route.mediaTypes[0])
                                       : fmt::format("{} or {}", route.mediaTypes[0], route.mediaTypes[1]);
}

/// The status for what the library says: the request was wrong, or the device cannot do it now.
int statusOf(const stile::Error& error) {
    constexpr std::array<std::pair<stile::errc, int>, 6> statuses{{
        {stile::errc::invalid_argument, 400},
        {stile::errc::too_large, 413},
        {stile::errc::out_of_memory, 503},
        {stile::errc::device_closed, 503},
        {stile::errc::device_lost, 503},
        {stile::errc::timed_out, 504},
    }};
    for (const auto& [code, status] : statuses) {
        if (error.code() == code) return status;
    }
    return 500;
}

/// \throws nothing but what an exception handler cannot rethrow.
Response describe(std::exception_ptr error) {
    try {
        std::rethrow_exception(std::move(error));
    } catch (const HttpError& e) {
        return toResponse(e);
    } catch (const stile::Error& e) {
        return {statusOf(e), {{"error", e.what()}}};
    } catch (const std::exception& e) {
        return {500, {{"error", e.what()}}};
    }
}

}  // namespace

const Route& findRoute(const Request& request) {
    const auto* const route = std::ranges::find(routes, request.path, &Route::path);
    if (route == routes.end()) throw HttpError(404, fmt::format("there is nothing at '{}'", request.path));
    const bool head = route->method == "GET" && request.method == "HEAD";
    if (request.method != route->method && !head) {
        throw HttpError(405, fmt::format("{} takes {}", route->path, allowed(*route)), allowed(*route));
    }
    if (route->mediaTypes[0].empty()) return *route;
    if (request.mediaType.empty() || std::ranges::find(route->mediaTypes, request.mediaType) == route->mediaTypes.end()) {
        throw HttpError(415, fmt::format("{} takes {}, not '{}'", route->path, wanted(*route), request.mediaType));
    }
    return *route;
}

asio::awaitable<Response> answer(Service& service, const Route& route, Request request) {
    std::exception_ptr error;
    try {
        Response response;
        response.body = co_await route.handler(service, std::move(request));
        co_return response;
    } catch (...) {
        error = std::current_exception();
    }
    co_return describe(std::move(error));
}

}  // namespace server
