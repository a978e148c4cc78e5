#include "http.hpp"

#include <fmt/format.h>
#include <http_parser.h>

namespace server {

Response toResponse(const HttpError& error) { return {error.status, {{"error", error.what()}}, error.allow}; }

std::string serialize(const Response& response, bool keepAlive, bool headOnly) {
    // A message may quote what the client sent, which need not be UTF-8.
    const std::string body = response.body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
    std::string text = fmt::format(
        "HTTP/1.1 {} {}\r\n"
        "Content-Type: application/json\r\n"
        "Content-Length: {}\r\n"
        "Connection: {}\r\n",
        response.status, http_status_str(static_cast<http_status>(response.status)), body.size(),
        keepAlive ? "keep-alive" : "close");
    if (!response.allow.empty()) text += fmt::format("Allow: {}\r\n", response.allow);
    if (response.status == HTTP_STATUS_SERVICE_UNAVAILABLE) text += "Retry-After: 1\r\n";
    text += "\r\n";
    if (!headOnly) text += body;
    return text;
}

}  // namespace server
