#include <asio/co_spawn.hpp>
#include <asio/io_context.hpp>
#include <asio/use_awaitable.hpp>

#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <stile/device.hpp>
#include <stile/testing.hpp>

#include "case_source.hpp"
#include "deviations.hpp"
#include "options.hpp"
#include "report.hpp"
#include "run.hpp"

namespace replay {
namespace {

/// Cases in flight. Each worker awaits the downloads of its case; what all of them ask for in one turn of the loop shares a fence.
constexpr int workers = 256;

asio::awaitable<void> work(CaseSource& source, const Deviations& deviations, Report& report) {
    while (auto line = source.next()) {
        std::optional<Case> recorded;
        try {
            recorded = parseCase(line->text, line->file, line->number);
        } catch (const std::exception& error) {
            report.addGarbled(line->file, line->number, error.what());
            continue;
        }
        line->text = {};
        const Outcome outcome = co_await run(*recorded, deviations);
        report.add(*recorded, outcome);
    }
}

stile::Device openDevice(const std::string& driver) {
    chooseDriver(driver);
    stile::DeviceOptions options;
    if (driver == "fake") options.context = std::make_shared<stile::testing::ScriptedContext>();
    return stile::Device::open(options);
}

int replayFiles(const Options& options) {
    const Deviations deviations(STILE_DEVIATIONS);
    const stile::Device device = openDevice(options.driver);
    Report report(std::cout);
    CaseSource source(options.files);
    asio::io_context loop(1);
    for (int i = 0; i < workers; ++i) {
        asio::co_spawn(loop, work(source, deviations, report), [](const std::exception_ptr& error) {
            if (error) std::rethrow_exception(error);
        });
    }
    loop.run();
    if (!options.json.empty()) report.writeJson(options.json);
    report.summarize();
    return report.good() ? 0 : 1;
}

}  // namespace
}  // namespace replay

int main(int argc, char** argv) {
    replay::Options options;
    try {
        options = replay::parseOptions(std::vector<std::string>(argv + 1, argv + argc));
    } catch (const std::exception& error) {
        std::cerr << "replay: " << error.what() << '\n' << replay::usage;
        return 2;
    }
    try {
        return replay::replayFiles(options);
    } catch (const std::exception& error) {
        std::cerr << "replay: " << error.what() << '\n';
        return 1;
    }
}
