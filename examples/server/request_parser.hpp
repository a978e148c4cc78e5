#pragma once

#include <http_parser.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "http.hpp"

namespace server {

/// Makes requests of the bytes that come in, in pieces of any size. A thin layer over http_parser, which does the work.
class RequestParser {
  public:
    enum class Event {
        more,      ///< everything was taken; the request goes on
        headers,   ///< the headers are complete, the body follows
        complete,  ///< the request is complete
    };

    explicit RequestParser(std::size_t maxBody);
    RequestParser(const RequestParser&) = delete;
    RequestParser& operator=(const RequestParser&) = delete;

    /// Takes bytes from the front of `input`, up to the end of the headers or of the request: what follows, stays.
    /// \throws HttpError for what is not HTTP/1 or passes a limit. Nothing more can be parsed then.
    Event feed(std::string& input);

    /// The request so far; its body is filled once it is complete.
    [[nodiscard]] const Request& request() const noexcept { return request_; }
    /// Gives the complete request away and begins the next.
    [[nodiscard]] Request take();

    /// Whether a body follows the headers.
    [[nodiscard]] bool hasBody() const noexcept;
    /// The bytes that the body takes or will take, as far as is known.
    [[nodiscard]] std::size_t bodyBytes() const noexcept;

  private:
    static const http_parser_settings& callbacks();
    static RequestParser& of(http_parser* parser) { return *static_cast<RequestParser*>(parser->data); }
    void header();
    void headersComplete();

    http_parser parser_{};
    std::size_t maxBody_;
    Request request_;
    std::string target_, field_, value_;
    int hosts_ = 0;
    bool valueSeen_ = false, inHeaders_ = true, complete_ = false;
    /// Why a callback stopped the parser: exceptions must not pass through C.
    int status_ = 0;
    std::string message_;
};

}  // namespace server
