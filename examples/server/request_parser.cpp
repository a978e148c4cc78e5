#include "request_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace server {
namespace {

std::string lower(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return out;
}

int statusOf(http_errno error) {
    switch (error) {
        case HPE_HEADER_OVERFLOW: return HTTP_STATUS_REQUEST_HEADER_FIELDS_TOO_LARGE;
        case HPE_INVALID_METHOD:
        case HPE_INVALID_TRANSFER_ENCODING: return HTTP_STATUS_NOT_IMPLEMENTED;
        default: return HTTP_STATUS_BAD_REQUEST;
    }
}

/// Of "/path?query" and of "http://host/path?query"; empty if it is neither.
std::string pathOf(const std::string& target) {
    http_parser_url url;
    http_parser_url_init(&url);
    if (http_parser_parse_url(target.data(), target.size(), 0, &url) != 0 || (url.field_set & (1U << UF_PATH)) == 0) return {};
    return target.substr(url.field_data[UF_PATH].off, url.field_data[UF_PATH].len);
}

}  // namespace

RequestParser::RequestParser(std::size_t maxBody) : maxBody_(maxBody) {
    http_parser_init(&parser_, HTTP_REQUEST);
    parser_.data = this;
}

const http_parser_settings& RequestParser::callbacks() {
    static const http_parser_settings settings = [] {
        http_parser_settings s{};
        s.on_url = [](http_parser* p, const char* at, std::size_t size) {
            of(p).target_.append(at, size);
            return 0;
        };
        s.on_header_field = [](http_parser* p, const char* at, std::size_t size) {
            RequestParser& self = of(p);
            // A field after a value begins the next header.
            if (self.valueSeen_) self.header();
            self.field_.append(at, size);
            return 0;
        };
        s.on_header_value = [](http_parser* p, const char* at, std::size_t size) {
            of(p).value_.append(at, size);
            of(p).valueSeen_ = true;  // an empty one, too
            return 0;
        };
        s.on_headers_complete = [](http_parser* p) {
            of(p).headersComplete();
            // So that the connection can say no before the body comes.
            http_parser_pause(p, 1);
            return 0;
        };
        s.on_body = [](http_parser* p, const char* at, std::size_t size) {
            RequestParser& self = of(p);
            if (self.request_.body.size() + size > self.maxBody_) {
                self.status_ = HTTP_STATUS_PAYLOAD_TOO_LARGE;
                self.message_ = fmt::format("the body is larger than {} bytes", self.maxBody_);
                return 1;
            }
            self.request_.body.append(at, size);
            return 0;
        };
        s.on_message_complete = [](http_parser* p) {
            of(p).complete_ = true;
            of(p).request_.keepAlive = http_should_keep_alive(p) != 0;
            http_parser_pause(p, 1);
            return 0;
        };
        return s;
    }();
    return settings;
}

void RequestParser::header() {
    const std::string name = lower(std::exchange(field_, {}));
    const std::string value = std::exchange(value_, {});
    valueSeen_ = false;
    if (!inHeaders_) return;  // a trailer of a chunked body
    if (name == "host") {
        ++hosts_;
    } else if (name == "content-type") {
        const std::string type = lower(value.substr(0, value.find(';')));
        request_.mediaType = type.substr(0, type.find_last_not_of(" \t") + 1);
    } else if (name == "expect") {
        request_.expectsContinue = lower(value) == "100-continue";
        if (!request_.expectsContinue) {
            status_ = HTTP_STATUS_EXPECTATION_FAILED;
            message_ = "Expect can only be 100-continue";
        }
    }
}

void RequestParser::headersComplete() {
    header();
    inHeaders_ = false;
    // An offer to speak another protocol may be passed over.
    parser_.upgrade = 0;
    request_.method = http_method_str(static_cast<http_method>(parser_.method));
    request_.path = pathOf(target_);
    if (parser_.http_major != 1) {
        status_ = HTTP_STATUS_HTTP_VERSION_NOT_SUPPORTED;
        message_ = "this server speaks HTTP/1.1";
    } else if (parser_.http_minor >= 1 && hosts_ != 1) {
        status_ = HTTP_STATUS_BAD_REQUEST;
        message_ = "a request has one Host header";
    } else if (hasBody() && bodyBytes() > maxBody_) {
        status_ = HTTP_STATUS_PAYLOAD_TOO_LARGE;
        message_ = fmt::format("the body is larger than {} bytes", maxBody_);
    }
    // HTTP/1.0 does not know of it.
    if (parser_.http_minor == 0) request_.expectsContinue = false;
}

bool RequestParser::hasBody() const noexcept { return (parser_.flags & F_CHUNKED) != 0 || bodyBytes() > 0; }

std::size_t RequestParser::bodyBytes() const noexcept {
    // While a chunked body comes in, content_length is what is left of the chunk.
    constexpr auto unknown = std::numeric_limits<std::uint64_t>::max();
    if ((parser_.flags & F_CHUNKED) != 0 || parser_.content_length == unknown) return request_.body.size();
    return request_.body.size() + parser_.content_length;
}

RequestParser::Event RequestParser::feed(std::string& input) {
    if (input.empty()) return Event::more;  // which the parser would take for the end of the stream
    const bool hadHeaders = !inHeaders_;
    http_parser_pause(&parser_, 0);
    const std::size_t taken = http_parser_execute(&parser_, &callbacks(), input.data(), input.size());
    input.erase(0, taken);
    if (status_ != 0) throw HttpError(status_, message_);
    const http_errno error = HTTP_PARSER_ERRNO(&parser_);
    if (error != HPE_OK && error != HPE_PAUSED) throw HttpError(statusOf(error), http_errno_description(error));
    if (complete_) return Event::complete;
    return !hadHeaders && !inHeaders_ ? Event::headers : Event::more;
}

Request RequestParser::take() {
    target_.clear();
    hosts_ = 0;
    inHeaders_ = true;
    complete_ = false;
    return std::exchange(request_, {});
}

}  // namespace server
