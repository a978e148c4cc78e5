#include "run.hpp"

#include <asio/use_awaitable.hpp>

#include <exception>
#include <optional>
#include <utility>

#include <stile/error.hpp>

#include "async_table.hpp"
#include "compare.hpp"
#include "download.hpp"
#include "kernels.hpp"
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

/// A kernel's outputs are a list: the leaves in the order in which an operation's struct has them.
void appendLeaves(Results results, Results::List& out) {
    if (auto* list = std::get_if<Results::List>(&results.value)) {
        for (Results& item : *list) appendLeaves(std::move(item), out);
    } else if (auto* members = std::get_if<Results::Members>(&results.value)) {
        for (auto& [name, member] : *members) appendLeaves(std::move(member), out);
    } else {
        out.push_back(std::move(results));
    }
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

/// The case of an operation, or a kernel's as the operation above it.
asio::awaitable<Outcome> runOperation(const Case& recorded, const Deviations& deviations, bool kernel) {
    Called called = co_await attempt(recorded);
    Outcome outcome = std::move(called.outcome);
    if (called.results && recorded.throws) {
        outcome.verdict = Verdict::failed;
        outcome.why = "returned where an error was recorded";
    } else if (called.results) {
        if (kernel) {
            Results::List leaves;
            appendLeaves(std::move(*called.results), leaves);
            called.results = Results(std::move(leaves));
        }
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

}  // namespace

asio::awaitable<Outcome> run(const Case& recorded, const Deviations& deviations) {
    Outcome outcome;
    if (recorded.untyped) {
        outcome.verdict = Verdict::notApplicable;
        co_return outcome;
    }
    if (recorded.kind == CaseKind::operation) {
        outcome = co_await runOperation(recorded, deviations, false);
        co_return outcome;
    }
    if (recorded.kind == CaseKind::kernel) {
        if (const std::optional<Case> operation = asOperation(recorded)) {
            outcome = co_await runOperation(*operation, deviations, true);
            co_return outcome;
        }
    }
    outcome.verdict = Verdict::unsupported;
    outcome.why =
        recorded.kind == CaseKind::kernel ? "no operation stands for the kernel" : "no kind of case that the tool replays";
    co_return outcome;
}

}  // namespace replay
