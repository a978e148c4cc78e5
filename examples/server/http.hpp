#pragma once

#include <nlohmann/json.hpp>

#include <stdexcept>
#include <string>
#include <utility>

namespace server {

/// A request as it came over the wire.
struct Request {
    std::string method;
    std::string path;       ///< without the query
    std::string mediaType;  ///< of the body, in lower case and without parameters
    std::string body;
    bool keepAlive = true;
    bool expectsContinue = false;  ///< the client waits for a word before it sends the body
};

/// What becomes an answer with a status other than 200.
class HttpError : public std::runtime_error {
  public:
    HttpError(int code, const std::string& message, std::string allowed = {})
        : std::runtime_error(message), status(code), allow(std::move(allowed)) {}

    int status;
    std::string allow;  ///< the methods that would do, for 405
};

struct Response {
    int status = 200;
    nlohmann::json body;
    std::string allow{};
};

[[nodiscard]] Response toResponse(const HttpError& error);

/// The bytes of a response. With `headOnly` the body is left out but counted, as the answer to HEAD wants it.
[[nodiscard]] std::string serialize(const Response& response, bool keepAlive, bool headOnly = false);

}  // namespace server
