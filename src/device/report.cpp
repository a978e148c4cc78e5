#include "device/report.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <iterator>

#include "device/device_core.hpp"
#include "trace/activity.hpp"

namespace stile::detail {
namespace {

std::string bytes(std::size_t count) {
    if (count >= (std::size_t{1} << 20)) return fmt::format("{:.1f} MiB", static_cast<double>(count) / (1 << 20));
    return fmt::format("{:.1f} KiB", static_cast<double>(count) / 1024);
}

std::string age(std::chrono::nanoseconds time) {
    const double milliseconds = std::chrono::duration<double, std::milli>(time).count();
    constexpr double second = 1000;
    return milliseconds < second ? fmt::format("{:.1f} ms", milliseconds) : fmt::format("{:.1f} s", milliseconds / second);
}

}  // namespace

DeviceStatus DeviceCore::status() const {
    constexpr std::array names{"gathered", "waiting", "running", "fenced"};
    const trace::Activity::Snapshot now = activity_->look();
    DeviceStatus out;
    if (now.running) {
        out.running = fmt::format("{} {}", now.running->name, toString(now.running->shape));
        out.runningFor = std::chrono::steady_clock::now() - now.running->since;
    }
    const auto count = [&now](trace::Stage stage) { return now.stages[static_cast<std::size_t>(stage)]; };
    out.gathered = count(trace::Stage::gathered);
    out.waiting = count(trace::Stage::waiting);
    out.submitted = count(trace::Stage::running);
    out.fenced = count(trace::Stage::fenced);
    for (const trace::Activity::Wait& wait : now.oldest) {
        out.oldest.push_back({wait.what, names[static_cast<std::size_t>(wait.stage)], wait.age});
    }
    out.memory = memory();
    out.stats = stats();
    return out;
}

std::string reportOf(const DeviceCore& core) {
    const DeviceStatus s = core.status();
    const DeviceOptions& limits = core.options();
    std::string out = fmt::format("device {}{}: {}\n", core.label(), core.isOpen() ? "" : " (closed)", core.driver().renderer);
    const auto line = [&out]<class... Args>(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
        out += '\n';
    };
    if (s.running.empty()) {
        line("  runs now: nothing");
    } else {
        line("  runs now: {}, for {}", s.running, age(s.runningFor));
    }
    line("  requests: {} gathered, {} waiting, {} running, {} fenced", s.gathered, s.waiting, s.submitted, s.fenced);
    line("  fences: {} in flight of {}, {} overdue", s.stats.fencesInFlight, limits.maxFences, s.stats.fencesOverdue);
    line("  staging: {} in use of {}, {} held", bytes(s.memory.stagingInUse), bytes(limits.stagingBytes),
         bytes(s.memory.staging));
    line("  memory: {} tensors in {} ({} at most), {} pooled", s.memory.tensors, bytes(s.memory.live), bytes(s.memory.peak),
         bytes(s.memory.pooled));
    line("  recorded: {} operations of {}; {} submissions, {} kernels, {} dispatches so far", s.memory.recorded,
         limits.maxRecorded, s.stats.submissions, s.stats.kernels, s.stats.dispatches);
    for (const DeviceStatus::Wait& wait : s.oldest) line("  waits for {}: {} ({})", age(wait.age), wait.what, wait.stage);
    return out;
}

}  // namespace stile::detail
