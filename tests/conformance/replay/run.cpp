#include "run.hpp"

#include <asio/use_awaitable.hpp>

#include <exception>
#include <optional>
#include <utility>

#include <stile/error.hpp>

#include "async_table.hpp"
#include "compare.hpp"
#include "download.hpp"
#include "mismatch.hpp"
#include "random_laws.hpp"
#include "table.hpp"

namespace replay {
namespace {

/// Whether an error says that the arguments are wrong, rather than that something failed on the way.
bool blamesArguments(const stile::Error& error) {
    return error.code() == stile::errc::invalid_argument || error.code() == stile::errc::wrong_dtype ||
           error.code() == stile::errc::too_large;
}

/// A call that returned, or why it did not.
struct Called {
    std::optional<Results> results{};
    Outcome outcome{};
};

asio::awaitable<Results> call(const Case& recorded) {
    const Arguments arguments(&recorded.arguments(), "args");
    if (const Row* row = findRow(recorded.op)) co_return row->call(arguments);
    if (const AsyncRow* row = findAsyncRow(recorded.op)) co_return co_await row->call(arguments);
    throw Unsupported("no operation of this name");
}

// Below, what is awaited or returned is named first: g++ 12 destroys a temporary with braces in such an expression twice.

asio::awaitable<Called> attempt(const Case& recorded) {
    Called called;
    Outcome& outcome = called.outcome;
    try {
        Results results = co_await call(recorded);
        called.results = std::move(results);
    } catch (const Unsupported& lack) {
        outcome.verdict = Verdict::unsupported;
        outcome.why = lack.what();
    } catch (const Mismatch& mismatch) {
        outcome.verdict = recorded.throws ? Verdict::notApplicable : Verdict::unsupported;
        outcome.why = mismatch.what();
    } catch (const stile::Error& error) {
        outcome.verdict = recorded.throws && blamesArguments(error) ? Verdict::passed : Verdict::failed;
        outcome.why = std::string("threw: ") + error.what();
    } catch (const std::exception& error) {
        outcome.verdict = Verdict::failed;
        outcome.why = std::string("threw another exception: ") + error.what();
    }
    co_return called;
}

asio::awaitable<Outcome> compareResults(const Case& recorded, Results results) {
    Outcome outcome;
    try {
        const Json actual = co_await toJson(std::move(results));
        auto found = isRandom(recorded.op) ? randomDifference(recorded, actual)
                                           : difference(recorded.result(), actual, boundOf(recorded.op));
        if (found) {
            outcome.verdict = Verdict::failed;
            outcome.why = std::move(*found);
        }
    } catch (const std::exception& error) {
        outcome.verdict = Verdict::failed;
        outcome.why = std::string("the download failed: ") + error.what();
    }
    co_return outcome;
}

}  // namespace

asio::awaitable<Outcome> run(const Case& recorded, const Deviations& deviations) {
    Outcome outcome;
    if (recorded.kind != CaseKind::operation) {
        outcome.verdict = Verdict::unsupported;
        outcome.why = "no kind of case that the tool replays";
        co_return outcome;
    }
    if (recorded.untyped) {
        outcome.verdict = Verdict::notApplicable;
        co_return outcome;
    }
    Called called = co_await attempt(recorded);
    outcome = std::move(called.outcome);
    if (called.results && recorded.throws) {
        outcome.verdict = Verdict::failed;
        outcome.why = "returned where an error was recorded";
    } else if (called.results) {
        outcome = co_await compareResults(recorded, std::move(*called.results));
    }
    if (outcome.verdict == Verdict::failed) {
        if (auto reason = deviations.reasonFor(recorded)) {
            outcome.verdict = Verdict::deviation;
            outcome.why = std::move(*reason);
        }
    }
    co_return outcome;
}

}  // namespace replay
