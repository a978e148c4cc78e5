#pragma once

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "stile/log.hpp"

namespace stile::log {

void write(LogLevel level, std::string_view message);
/// A warning for standard error, and none if a sink is set: what it refers to may be gone by the end of the process.
void warnAtExit(std::string_view message);
[[nodiscard]] bool enabled(LogLevel level) noexcept;
/// Whether the calling thread is inside the application's sink. What it would log then is dropped: sinks get one message at a
/// time.
[[nodiscard]] bool isInSink() noexcept;

template <class... Args>
void debug(fmt::format_string<Args...> format, Args&&... args) {
    if (enabled(LogLevel::debug)) write(LogLevel::debug, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void info(fmt::format_string<Args...> format, Args&&... args) {
    if (enabled(LogLevel::info)) write(LogLevel::info, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void warn(fmt::format_string<Args...> format, Args&&... args) {
    if (enabled(LogLevel::warning)) write(LogLevel::warning, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void error(fmt::format_string<Args...> format, Args&&... args) {
    if (enabled(LogLevel::error)) write(LogLevel::error, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace stile::log
