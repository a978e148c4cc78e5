// Whole pipelines against the machine and, if their figures are given, against peers: one table.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <stile/stile.hpp>

#include "options.hpp"
#include "report.hpp"
#include "row.hpp"

namespace bench {
namespace {

std::vector<Row> rowsWith(const std::string& filter) {
    std::vector<Row> out;
    for (const auto list : {computeRows, transferRows, firstUseRows, loadRows}) {
        for (Row& row : list()) {
            if (row.name.find(filter) != std::string::npos) out.push_back(std::move(row));
        }
    }
    return out;
}

int run(const Options& options) {
    if (options.firstUse) {
        printFirstUse(options.warmUp);
        return 0;
    }
    const std::vector<Row> rows = rowsWith(options.filter);
    std::size_t width = 0;
    for (const Row& row : rows) width = std::max(width, row.name.size());
    std::vector<Peer> peers;
    for (const auto& [name, file] : options.peers) peers.push_back(readPeer(name, file));
    Report report(std::move(peers), stile::Device::open().driver().renderer, width);
    const Effort effort = options.quick ? Effort{1, std::chrono::milliseconds(100)} : Effort{};
    bool failed = false;
    for (const Row& row : rows) {
        try {
            report.add(row, row.measure(effort));
        } catch (const std::exception& error) {
            report.fail(row, error.what());
            failed = true;
        }
    }
    if (!options.json.empty()) report.write(options.json);
    return failed ? 1 : 0;
}

}  // namespace
}  // namespace bench

int main(int count, char** arguments) {
    try {
        return bench::run(bench::parse(count, arguments));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
