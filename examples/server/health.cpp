#include <unistd.h>

#include <nlohmann/json.hpp>

#include <fstream>

#include <stile/device.hpp>

#include "router.hpp"

namespace server {
namespace {

/// Resident memory in bytes.
std::size_t residentBytes() {
    std::ifstream file("/proc/self/statm");
    std::size_t total = 0, resident = 0;
    file >> total >> resident;
    return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

nlohmann::json describe(const stile::MemoryInfo& memory) {
    return {{"tensors", memory.tensors}, {"recorded", memory.recorded}, {"buffers", memory.buffers}, {"live", memory.live},
            {"pooled", memory.pooled},   {"staging", memory.staging},   {"peak", memory.peak}};
}

nlohmann::json describe(const stile::DeviceStats& stats) {
    return {{"submissions", stats.submissions},
            {"dispatches", stats.dispatches},
            {"copies", stats.copies},
            {"fences", stats.fences},
            {"fences_in_flight", stats.fencesInFlight},
            {"requests_waiting", stats.requestsWaiting},
            {"programs", stats.programs},
            {"compiled", stats.compiled},
            {"loaded", stats.loaded}};
}

nlohmann::json describe(const common::Lateness& lateness) {
    return {{"beats", lateness.beats()},
            {"p50", lateness.percentile(50)},
            {"p90", lateness.percentile(90)},
            {"p99", lateness.percentile(99)},
            {"max", lateness.longest()}};
}

nlohmann::json describe(const Counters& counters) {
    auto answers = nlohmann::json::object();
    for (const auto& [status, count] : counters.answers) answers[std::to_string(status)] = count;
    return {{"open", counters.open},         {"accepted", counters.accepted},
            {"refused", counters.refused},   {"disconnected", counters.disconnected},
            {"buffered", counters.buffered}, {"answers", answers}};
}

}  // namespace

asio::awaitable<nlohmann::json> answerHealth(Service& service, Request) {
    co_return nlohmann::json{{"status", service.stopping ? "stopping" : "ok"},
                             {"renderer", service.device.driver().renderer},
                             {"version", service.device.driver().version},
                             {"lateness_ms", describe(service.lateness)},
                             {"rss", residentBytes()},
                             {"running", service.slots.running()},
                             {"waiting", service.slots.waiting()},
                             {"connections", describe(service.counters)},
                             {"memory", describe(service.device.memory())},
                             {"device", describe(service.device.stats())}};
}

}  // namespace server
