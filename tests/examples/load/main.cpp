// Many clients at once against examples/server, each answer compared with a computation on the CPU, beside clients that do not
// behave. Exit status: 0 if every answer was right, nothing was left over, and memory and lateness stayed within their limits.

#include <sys/resource.h>

#include <fmt/format.h>
#include <asio/co_spawn.hpp>
#include <asio/io_context.hpp>
#include <asio/steady_timer.hpp>
#include <asio/use_awaitable.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cases.hpp"
#include "child.hpp"
#include "client.hpp"
#include "pests.hpp"

namespace load {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

const char* const usage = R"(usage: server_load --server PROGRAM [options]

  --connections N    clients that send one request after another (200)
  --warm-up N        requests of each client before memory is looked at for the first time and anything is measured (20)
  --seconds N        how long it is measured from then on (10)
  --rate N           requests a second of all clients together; 0: each as soon as the last is answered (0)
  --max-lateness N   milliseconds that the 99th percentile of the loop's lateness may have; 0: any (0)
  --max-growth N     percent by which resident memory may grow after the warm-up (5)

Latency is the time from the moment at which a request was due (without a rate: was sent) to its checked answer. The clients
give way to the server (nice 5): they stand for other machines.
)";

struct Options {
    std::string server;
    std::map<std::string, double, std::less<>> numbers{{"--connections", 200}, {"--seconds", 10},     {"--warm-up", 20},
                                                       {"--rate", 0},          {"--max-lateness", 0}, {"--max-growth", 5}};
    [[nodiscard]] double operator[](std::string_view name) const { return numbers.find(name)->second; }
};

Options parseOptions(int count, char** arguments) {
    Options options;
    for (int i = 1; i + 1 < count; i += 2) {
        const std::string_view name = arguments[i];
        if (name == "--server") {
            options.server = arguments[i + 1];
        } else if (const auto found = options.numbers.find(name); found != options.numbers.end()) {
            found->second = std::stod(arguments[i + 1]);
        } else {
            throw std::invalid_argument(usage);
        }
    }
    if (options.server.empty() || count % 2 == 0) throw std::invalid_argument(usage);
    return options;
}

/// What all clients share.
struct Run {
    Options options;
    unsigned short port = 0;
    std::vector<Case> cases = makeCases();
    bool running = true, warm = false;
    std::size_t requests = 0, errors = 0;
    std::string firstError{};
    std::vector<double> latencies{};  ///< in milliseconds
    PestReport pests{};
    nlohmann::json healthWarm{}, health{};

    void fail(const std::string& what) {
        if (errors++ == 0) firstError = what;
    }
};

/// The right answer, or the complaint.
std::string complaint(const Case& asked, const Answer& answer) {
    if (answer.status != 200) return fmt::format("status {}: {}", answer.status, answer.body.dump());
    try {
        return asked.complaint(answer.body);
    } catch (const std::exception& error) {
        return fmt::format("{}: {}", error.what(), answer.body.dump());
    }
}

asio::awaitable<void> behave(Run& run, std::size_t number) {
    const auto executor = co_await asio::this_coro::executor;
    const double rate = run.options["--rate"];
    const std::chrono::duration<double> interval(rate > 0 ? run.options["--connections"] / rate : 0);
    Client client(executor, run.port);
    co_await client.connect();
    asio::steady_timer timer(executor);
    // The clients begin at different moments of their interval.
    auto due =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(interval * (static_cast<double>(number * 37 % 100) / 100));
    for (std::size_t i = number * 7; run.running; ++i) {
        if (rate > 0) {
            timer.expires_at(due);
            co_await timer.async_wait(asio::use_awaitable);
            if (!run.running) break;
        } else {
            due = Clock::now();
        }
        const Case& asked = run.cases[i % run.cases.size()];
        const bool sent = co_await client.send(asked.request);
        const Answer answer = co_await client.receive();
        ++run.requests;
        const std::string wrong = sent ? complaint(asked, answer) : "the connection is gone";
        if (!wrong.empty()) run.fail(wrong);
        if (run.warm) run.latencies.push_back(std::chrono::duration<double, std::milli>(Clock::now() - due).count());
        due += std::chrono::duration_cast<Clock::duration>(interval);
        if (!answer.keepAlive) co_await client.connect();
    }
}

asio::awaitable<nlohmann::json> askHealth(unsigned short port) {
    Client client(co_await asio::this_coro::executor, port);
    co_await client.connect();
    (void)co_await client.send(request("/health"));
    Answer answer = co_await client.receive();
    co_return answer.body;
}

/// Whether nothing is left of all that was asked for; of connections, the one that asks.
bool isQuiet(const nlohmann::json& health) {
    return health["running"] == 0 && health["waiting"] == 0 && health["connections"]["open"] == 1 &&
           health["connections"]["buffered"] == 0 && health["memory"]["recorded"] == 0 &&
           health["device"]["fences_in_flight"] == 0 && health["device"]["requests_waiting"] == 0;
}

asio::awaitable<void> direct(Run& run) {
    const auto executor = co_await asio::this_coro::executor;
    const auto count = static_cast<std::size_t>(run.options["--connections"]);
    const auto failed = [&run](const std::exception_ptr& error) {
        try {
            if (error) std::rethrow_exception(error);
        } catch (const std::exception& e) {
            run.fail(e.what());
        }
    };
    for (std::size_t i = 0; i < count; ++i) asio::co_spawn(executor, behave(run, i), failed);
    asio::co_spawn(executor, runPests(run.port, run.running, run.pests), failed);

    asio::steady_timer timer(executor);
    while (static_cast<double>(run.requests) < run.options["--warm-up"] * run.options["--connections"]) {
        timer.expires_after(10ms);
        co_await timer.async_wait(asio::use_awaitable);
    }
    run.healthWarm = co_await askHealth(run.port);
    run.warm = true;
    timer.expires_after(std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(run.options["--seconds"])));
    co_await timer.async_wait(asio::use_awaitable);
    run.health = co_await askHealth(run.port);
    run.warm = run.running = false;
    // What is under way gets its answers, slowly where other programs keep this machine busy.
    nlohmann::json rest;
    for (int i = 0; i < 2000; ++i) {
        timer.expires_after(50ms);
        co_await timer.async_wait(asio::use_awaitable);
        rest = co_await askHealth(run.port);
        if (isQuiet(rest)) co_return;
    }
    run.fail("left over: " + rest.dump());
}

double percentile(std::vector<double>& values, double percent) {
    if (values.empty()) return 0;
    std::ranges::sort(values);
    return values[std::min(values.size() - 1, static_cast<std::size_t>(static_cast<double>(values.size()) * percent / 100))];
}

bool report(Run& run) {
    const Options& options = run.options;
    std::string load;
    std::getline(std::ifstream("/proc/loadavg"), load);
    const double seconds = options["--seconds"], megabyte = 1 << 20;
    const double before = run.healthWarm["rss"].get<double>(), after = run.health["rss"].get<double>();
    const double growth = (after / before - 1) * 100;
    const nlohmann::json& late = run.health["lateness_ms"];
    const auto difference = [&](const char* what) {
        return run.health["device"][what].get<double>() - run.healthWarm["device"][what].get<double>();
    };
    const auto answered = static_cast<double>(run.latencies.size());
    fmt::print("{:.0f} connections for {:.0f} s, load average {}\n", options["--connections"], seconds, load);
    fmt::print("requests           {} ({:.0f}/s after the warm-up)\n", run.requests, answered / seconds);
    fmt::print("errors             {}{}\n", run.errors, run.errors ? ": " + run.firstError : "");
    fmt::print("latency, ms        p50 {:.1f}, p99 {:.1f}, worst {:.1f}\n", percentile(run.latencies, 50),
               percentile(run.latencies, 99), percentile(run.latencies, 100));
    fmt::print("loop lateness, ms  p50 {:.2f}, p90 {:.2f}, p99 {:.2f}, worst {:.2f}\n", late["p50"].get<double>(),
               late["p90"].get<double>(), late["p99"].get<double>(), late["max"].get<double>());
    fmt::print("resident memory    {:.1f} MiB after the warm-up, {:.1f} MiB at the end ({:+.1f} %)\n", before / megabyte,
               after / megabyte, growth);
    fmt::print("tensors a fence    {:.1f}\n", difference("copies") / difference("fences"));
    for (const auto& [what, count] : run.pests.met) fmt::print("beside them        {} ({} times)\n", what, count);
    if (!run.pests.complaint.empty()) fmt::print("beside them        {}\n", run.pests.complaint);

    const double limit = options["--max-lateness"];
    return run.errors == 0 && run.pests.complaint.empty() && answered > 0 && growth <= options["--max-growth"] &&
           (limit <= 0 || late["p99"].get<double>() <= limit);
}

bool runLoad(const Options& options) {
    // Slow clients are sent away soon, and no answer is given up because other programs keep this machine busy.
    Child server(options.server, {"--port", "0", "--read-timeout", "1", "--request-timeout", "100"});
    fmt::print("{}\n", server.renderer());
    (void)setpriority(PRIO_PROCESS, 0, 5);
    Run run{.options = options, .port = server.port()};
    asio::io_context loop{1};
    asio::co_spawn(loop, direct(run), [](const std::exception_ptr& error) {
        if (error) std::rethrow_exception(error);
    });
    loop.run();
    const bool good = report(run);
    const int status = server.stop();
    if (status != 0) fmt::print("the server ended with status {}\n", status);
    return good && status == 0;
}

}  // namespace
}  // namespace load

int main(int count, char** arguments) {
    try {
        return load::runLoad(load::parseOptions(count, arguments)) ? 0 : 1;
    } catch (const std::invalid_argument& error) {
        fmt::print(stderr, "{}", error.what());
        return 2;
    } catch (const std::exception& error) {
        fmt::print(stderr, "server_load: {}\n", error.what());
        return 1;
    }
}
