#pragma once

#include <ctime>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

namespace test {

/// A thread of this process as the kernel sees it.
struct ThreadInfo {
    std::string name;
    long long wakeUps = 0;  ///< how often it went to sleep of its own accord
};

inline std::map<std::string, ThreadInfo> threads() {
    std::map<std::string, ThreadInfo> out;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
        std::ifstream status(task.path() / "status");
        ThreadInfo info;
        for (std::string line; std::getline(status, line);) {
            if (line.starts_with("Name:\t")) info.name = line.substr(6);
            if (line.starts_with("voluntary_ctxt_switches:")) info.wakeUps = std::stoll(line.substr(25));
        }
        out.emplace(task.path().filename().string(), info);
    }
    return out;
}

inline std::chrono::nanoseconds cpuTime(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

/// Resident memory in bytes.
inline std::size_t residentBytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmRSS:")) return static_cast<std::size_t>(std::stoull(line.substr(6))) * 1024;
    }
    return 0;
}

}  // namespace test
