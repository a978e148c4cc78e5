#include "connection.hpp"

#include <asio/buffer.hpp>
#include <asio/experimental/awaitable_operators.hpp>
#include <asio/redirect_error.hpp>
#include <asio/use_awaitable.hpp>
#include <asio/write.hpp>

#include <chrono>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "router.hpp"

// `a || b` waits for the first that *succeeds*: what stands beside a timer here must not throw, or an error would be noticed
// only when the time is over. So reads and writes tell of errors by what they return.
namespace server {
namespace {

using namespace asio::experimental::awaitable_operators;

constexpr std::size_t readAhead = 65536;

/// Ends when the time is over or it is cancelled, which costs an exception less than throwing.
asio::awaitable<void> expire(asio::steady_timer& timer, double seconds) {
    asio::error_code ignored;
    timer.expires_after(std::chrono::duration_cast<asio::steady_timer::duration>(std::chrono::duration<double>(seconds)));
    co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
}

/// Appends what comes next to the input. False if the client has left.
asio::awaitable<bool> readSome(Connection& c) {
    asio::error_code error;
    const std::size_t size =
        co_await c.socket.async_read_some(asio::buffer(c.chunk), asio::redirect_error(asio::use_awaitable, error));
    c.input.append(c.chunk.data(), size);
    co_return !error;
}

asio::awaitable<bool> writeAll(asio::ip::tcp::socket& socket, std::string_view text) {
    asio::error_code error;
    co_await asio::async_write(socket, asio::buffer(text), asio::redirect_error(asio::use_awaitable, error));
    co_return !error;
}

/// What comes of reading a request.
struct Received {
    bool gone = false;                 ///< the client
    bool complete = false;             ///< the request was read to its end, so that the next can follow
    std::optional<HttpError> refused;  ///< the answer is known already
    const Route* route = nullptr;
};

/// Says by the headers what can be said by them. False if the body need not be read.
bool isWelcome(const Connection& c, Received& received) {
    try {
        received.route = &findRoute(c.parser.request());
        return true;
    } catch (const HttpError& error) {
        received.refused = error;
        return !c.parser.hasBody();
    }
}

/// Reads until the parser has a complete request, or something speaks against it.
asio::awaitable<Received> receive(Connection& c, Charge& charge) {
    Received out;
    try {
        for (;;) {
            const RequestParser::Event event = c.parser.feed(c.input);
            charge.set(c.parser.bodyBytes());
            if (event == RequestParser::Event::complete) {
                out.complete = true;
                break;
            }
            if (event == RequestParser::Event::more) {
                out.gone = !co_await readSome(c);
            } else if (!isWelcome(c, out)) {
                break;
            } else if (c.parser.hasBody() && c.parser.request().expectsContinue) {
                out.gone = !co_await writeAll(c.socket, "HTTP/1.1 100 Continue\r\n\r\n");
            }
            if (out.gone) break;
        }
    } catch (const HttpError& error) {
        out.refused = error;
    }
    co_return out;
}

/// Ends when the client has left. One that has closed its own direction counts as such: nobody can tell whether it still
/// listens. Requests that it sends ahead are kept; beyond a limit it has to wait, and is not watched.
asio::awaitable<void> watch(Connection& c) {
    while (c.input.size() < readAhead) {
        if (!co_await readSome(c)) co_return;
    }
    asio::error_code ignored;
    asio::steady_timer never(c.socket.get_executor(), asio::steady_timer::time_point::max());
    co_await never.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
}

/// The answer; none if the client left meanwhile. Whatever comes first cancels the others: a download that is pending then
/// completes with `operation_aborted`, and what has not begun is left out.
asio::awaitable<std::optional<Response>> work(Connection& c, const Route& route, Request request) {
    const double limit = c.service.options.requestTimeout;
    auto first = co_await (answer(c.service, route, std::move(request)) || watch(c) || expire(c.timer, limit));
    if (first.index() == 0) co_return std::get<0>(std::move(first));
    if (first.index() == 2) co_return toResponse(HttpError(504, "the answer took too long"));
    ++c.service.counters.disconnected;
    co_return std::nullopt;
}

/// Closes so that the client sees the answer: bytes that it still sends must be read, or the kernel answers them with a reset
/// that makes it drop what it has not read.
asio::awaitable<void> discard(asio::ip::tcp::socket& socket) {
    asio::error_code error;
    socket.shutdown(asio::ip::tcp::socket::shutdown_send, error);
    std::array<char, 4096> bytes;
    while (!error) {
        co_await socket.async_read_some(asio::buffer(bytes), asio::redirect_error(asio::use_awaitable, error));
    }
}

constexpr double lingering = 2;

/// An answer on its way, and whether more may follow on the connection.
struct Reply {
    std::string text;
    bool keepAlive = false;
};

/// Reads one request and finds its answer; none if the client has left.
asio::awaitable<std::optional<Reply>> reply(Connection& c) {
    Charge charge(c.service);
    const auto read = co_await (receive(c, charge) || expire(c.timer, c.service.options.readTimeout));
    std::optional<Response> response;
    bool keepAlive = false, head = false;
    if (read.index() != 0) {
        response = toResponse(HttpError(408, "the request took too long to come in"));
    } else {
        const Received& received = std::get<0>(read);
        if (received.gone) co_return std::nullopt;
        if (received.refused) response = toResponse(*received.refused);
        if (received.complete) {
            Request request = c.parser.take();
            keepAlive = request.keepAlive;
            head = request.method == "HEAD";
            if (!response) response = co_await work(c, *received.route, std::move(request));
            if (!response) co_return std::nullopt;
        }
    }
    keepAlive = keepAlive && !c.service.stopping;
    ++c.service.counters.answers[response->status];
    Reply out;
    out.text = serialize(*response, keepAlive, head);
    out.keepAlive = keepAlive;
    co_return out;
}

/// Answers one request. False if it was the last one.
asio::awaitable<bool> exchange(Connection& c) {
    const std::optional<Reply> answer = co_await reply(c);
    if (!answer) co_return false;
    const auto written = co_await (writeAll(c.socket, answer->text) || expire(c.timer, c.service.options.writeTimeout));
    if (written.index() != 0 || !std::get<0>(written)) co_return false;
    if (!answer->keepAlive) (void)co_await (discard(c.socket) || expire(c.timer, lingering));
    co_return answer->keepAlive;
}

}  // namespace

void Charge::set(std::size_t bytes) {
    std::size_t& all = service_.counters.buffered;
    if (bytes > bytes_ && all + bytes - bytes_ > service_.options.maxBuffered) {
        throw HttpError(503, "too much is coming in at once");
    }
    all = all + bytes - bytes_;
    bytes_ = bytes;
}

asio::awaitable<void> serve(Connection& c) {
    do {
        c.idle = c.input.empty();
        if (c.idle) {
            if (c.service.stopping) co_return;
            const auto first = co_await (readSome(c) || expire(c.timer, c.service.options.idleTimeout));
            if (first.index() != 0 || !std::get<0>(first)) co_return;
            c.idle = false;
        }
    } while (co_await exchange(c));
}

asio::awaitable<void> refuse(asio::ip::tcp::socket socket) {
    asio::steady_timer timer(socket.get_executor());
    const std::string text = serialize(toResponse(HttpError(503, "too many connections")), false);
    const auto written = co_await (writeAll(socket, text) || expire(timer, lingering));
    if (written.index() == 0) (void)co_await (discard(socket) || expire(timer, lingering));
}

}  // namespace server
