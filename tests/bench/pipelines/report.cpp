#include "report.hpp"

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <thread>

namespace bench {
namespace {

using nlohmann::ordered_json;

std::string firstAfter(const char* file, const std::string& key) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        const std::size_t at = line.find(':');
        if (line.starts_with(key) && at != std::string::npos) return line.substr(line.find_first_not_of(" \t", at + 1));
    }
    return "unknown";
}

std::string machine() {
    return firstAfter("/proc/cpuinfo", "model name") + ", " + std::to_string(std::thread::hardware_concurrency()) + " cores";
}

std::string today() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    localtime_r(&now, &parts);
    char text[16];
    (void)std::strftime(text, sizeof text, "%Y-%m-%d", &parts);
    return text;
}

std::optional<double> figureOf(const Peer& peer, const Row& row) {
    const auto found = peer.milliseconds.find(row.peer.empty() ? row.name : row.peer);
    return found == peer.milliseconds.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

Peer readPeer(const std::string& name, const std::string& file) {
    std::ifstream in(file);
    if (!in) throw std::runtime_error("cannot read " + file);
    Peer peer{name};
    const ordered_json parsed = ordered_json::parse(in);
    for (const auto& [row, figures] : parsed.at("rows").items()) {
        if (figures.contains("median_ms")) peer.milliseconds.emplace(row, figures.at("median_ms").get<double>());
    }
    return peer;
}

Report::Report(std::vector<Peer> peers, std::string renderer, std::size_t nameWidth)
    : peers_(std::move(peers)), renderer_(std::move(renderer)), width_(static_cast<int>(nameWidth)) {
    std::printf("%s; %s; %s\n", machine().c_str(), renderer_.c_str(), today().c_str());
    std::printf("Milliseconds. A ratio is the other's time through ours: larger is better.\n");
    std::printf("%-*s %10s %10s %7s %-13s", width_, "work", "ours", "bound", "ratio", " (what)");
    for (const Peer& peer : peers_) std::printf(" %10s %7s", peer.name.c_str(), "ratio");
    std::printf("\n");
}

void Report::add(const Row& row, const Figures& figures) {
    std::printf("%-*s %10.3f", width_, row.name.c_str(), figures.ours);
    const auto other = [&](std::optional<double> milliseconds) {
        if (milliseconds) {
            std::printf(" %10.3f %7.2f", *milliseconds, *milliseconds / figures.ours);
        } else {
            std::printf(" %10s %7s", "", "");
        }
    };
    other(figures.bound);
    std::printf("  %-12s", figures.of.c_str());
    for (const Peer& peer : peers_) other(figureOf(peer, row));
    std::printf("\n");
    std::fflush(stdout);
    lines_.push_back({row, figures});
}

void Report::fail(const Row& row, const std::string& why) {
    std::printf("%-*s failed: %s\n", width_, row.name.c_str(), why.c_str());
    std::fflush(stdout);
}

void Report::write(const std::string& file) const {
    ordered_json rows = ordered_json::object();
    for (const Line& line : lines_) {
        ordered_json out{{"median_ms", line.figures.ours}};
        if (line.figures.bound) out["bound"] = {{"of", line.figures.of}, {"median_ms", *line.figures.bound}};
        for (const Peer& peer : peers_) {
            if (const auto figure = figureOf(peer, line.row)) out["peers"][peer.name] = *figure;
        }
        rows[line.row.name] = std::move(out);
    }
    std::ofstream out(file);
    out << ordered_json{{"backend", "stile"},
                        {"machine", machine()},
                        {"renderer", renderer_},
                        {"date", today()},
                        {"rows", rows}}
               .dump(1)
        << "\n";
    if (!out.flush()) throw std::runtime_error("cannot write " + file);
}

}  // namespace bench
