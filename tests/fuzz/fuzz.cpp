// fuzz --seconds N [--seed S] [--driver NAME] [--graphs N]: random graphs of operations on a driver against the plain code of src/host.
// Prints the seed and the smallest graph that it can make of one that differs. Exit status 1 if there is one.

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stile/device.hpp>
#include <stile/download.hpp>
#include <stile/testing.hpp>

#include "device/device_core.hpp"
#include "graph.hpp"
#include "tensor/home.hpp"

namespace fuzz {
namespace {

struct Options {
    double seconds = 10;
    std::uint64_t seed = 1;
    std::uint64_t graphs = ~0ULL;
    std::string driver{};
};

/// As the tests choose a driver.
void choose(const std::string& driver) {
    const auto set = [](const char* name, const char* value) { setenv(name, value, 1); };
    if (driver == "llvmpipe-es") set("STILE_API", "es");
    if (driver == "zink") {
        set("MESA_LOADER_DRIVER_OVERRIDE", "zink");
        set("LIBGL_ALWAYS_SOFTWARE", "1");
        set("VK_ICD_FILENAMES", "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json");
    }
}

/// Two devices, one of which is the default.
class Devices {
  public:
    Devices()
        : plain_(stile::Device::open(
              {.context = std::make_shared<stile::testing::ScriptedContext>(), .sync = stile::SyncPolicy::allow})),
          driven_(stile::Device::open({.debug = true, .sync = stile::SyncPolicy::allow})) {}

    void usePlain() const { use(plain_); }
    void useDriven() const { use(driven_); }
    [[nodiscard]] const stile::Device& driven() const { return driven_; }

  private:
    void use(const stile::Device& device) const {
        for (const stile::Device* each : {&plain_, &driven_}) stile::detail::withdrawDefaultHome(each->core().get());
        stile::detail::offerDefaultHome(device.core());
    }

    stile::Device plain_, driven_;
};

struct Difference {
    std::size_t step = 0;
    std::string text{};
};

std::optional<std::string> compare(const Value& actual, const Value& expected, double error) {
    if (!(actual.shape == expected.shape) || actual.dtype != expected.dtype) {
        return fmt::format("shape {} and dtype {}", stile::toString(actual.shape), stile::name(actual.dtype));
    }
    for (std::size_t i = 0; i < actual.data.size(); ++i) {
        const double a = actual.data[i], e = expected.data[i];
        if ((std::isnan(a) && std::isnan(e)) || a == e || std::abs(a - e) <= error) continue;
        return fmt::format("[{}] is {}, on the CPU {}; allowed {}", i, a, e, error);
    }
    return {};
}

/// The first of the wanted steps that differs on the default device.
std::optional<Difference> differs(const Graph& graph, const std::vector<std::size_t>& wanted) {
    const std::vector<Tensors> made = record(graph);
    for (const std::size_t step : wanted) {
        for (std::size_t output = 0; output < made[step].size(); ++output) {
            std::optional<std::string> text;
            try {
                text = compare(valueOf(made[step][output]), graph[step].values[output], graph[step].error);
            } catch (const std::exception& error) {
                text = error.what();
            }
            if (text) return Difference{step, fmt::format("t{}: {}", step, *text)};
        }
    }
    return {};
}

/// The step and what it needs.
Graph needed(const Graph& graph, std::size_t target) {
    std::vector<bool> used(target + 1, false);
    used[target] = true;
    for (std::size_t i = target + 1; i-- > 0;) {
        if (!used[i]) continue;
        for (const auto& from : graph[i].operands) used[from.step] = true;
    }
    Graph kept;
    std::map<std::size_t, std::size_t> moved;
    for (std::size_t i = 0; i <= target; ++i) {
        if (!used[i]) continue;
        moved[i] = kept.size();
        kept.push_back(graph[i]);
        for (auto& from : kept.back().operands) from.step = moved[from.step];
    }
    return kept;
}

/// Makes leaves of steps as long as the last one still differs.
Graph shrink(Graph graph) {
    for (std::size_t i = graph.size() - 1; i-- > 0;) {
        if (i >= graph.size() || graph[i].isLeaf() || graph[i].values.size() > 1) continue;
        Graph smaller = graph;
        smaller[i].call = {};
        smaller[i].operands.clear();
        smaller[i].name = "leaf";
        smaller[i].error = 0;
        smaller = needed(smaller, smaller.size() - 1);
        if (differs(smaller, {smaller.size() - 1})) graph = std::move(smaller);
    }
    return graph;
}

/// Whether the graph of this seed is right.
bool run(const Devices& devices, std::uint64_t seed, std::map<std::string, std::uint64_t>& drawn) {
    Draw draw(seed);
    devices.usePlain();
    const Graph graph = grow(draw, 5 + draw.below(30));
    for (const Step& step : graph) ++drawn[std::string(step.name)];
    devices.useDriven();
    // Few at a time, so that most of the graph is computed inside kernels; the last is always among them.
    std::vector<std::size_t> wanted;
    for (std::size_t i = 0, n = 1 + draw.below(3); i < n; ++i) wanted.push_back(draw.below(graph.size()));
    wanted.push_back(graph.size() - 1);
    auto difference = differs(graph, wanted);
    if (!difference) return true;

    std::cout << fmt::format("seed {}: {}\n", seed, difference->text);
    const Graph smallest = shrink(needed(graph, difference->step));
    const auto again = differs(smallest, {smallest.size() - 1});
    std::cout << toString(smallest)
              << (again ? "  " + again->text : "  right when asked for alone, of the whole graph:\n" + toString(graph)) << "\n";
    return false;
}

int fuzz(const Options& options) {
    choose(options.driver);
    const Devices devices;
    std::map<std::string, std::uint64_t> drawn;
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(options.seconds);
    std::uint64_t graphs = 0, wrong = 0;
    for (std::uint64_t seed = options.seed; std::chrono::steady_clock::now() < end && graphs < options.graphs && wrong < 5;
         ++seed) {
        wrong += run(devices, seed, drawn) ? 0 : 1;
        ++graphs;
    }
    std::uint64_t steps = 0;
    for (const auto& [name, count] : drawn) steps += count;
    std::cout << fmt::format("{}: {} graphs from seed {}, {} steps of {} kinds, {} wrong\n", devices.driven().driver().renderer,
                             graphs, options.seed, steps, drawn.size(), wrong);
    std::set<std::string_view> never;
    for (const Operation& operation : allOperations()) {
        if (!drawn.contains(std::string(operation.name))) never.insert(operation.name);
    }
    if (graphs >= 200 && !never.empty()) std::cout << fmt::format("never drawn: {}\n", fmt::join(never, ", "));
    return wrong == 0 && devices.driven().stats().debugErrors == 0 ? 0 : 1;
}

Options parse(int count, char** arguments) {
    Options options;
    for (int i = 1; i + 1 < count; i += 2) {
        const std::string name = arguments[i], value = arguments[i + 1];
        if (name == "--seconds") options.seconds = std::stod(value);
        if (name == "--seed") options.seed = std::stoull(value);
        if (name == "--graphs") options.graphs = std::stoull(value);
        if (name == "--driver") options.driver = value;
    }
    return options;
}

}  // namespace
}  // namespace fuzz

int main(int count, char** arguments) {
    try {
        return fuzz::fuzz(fuzz::parse(count, arguments));
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 2;
    }
}
