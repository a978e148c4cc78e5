#pragma once

#include <functional>
#include <string_view>

#include <stile/export.hpp>

namespace stile STILE_EXPORT {

/// How much a message matters; `off` is above all.
enum class LogLevel : int { debug, info, warning, error, off };

/// Receives one message, without a line end. May be called from any thread, one call at a time; must not throw. What the
/// library would log during that call is dropped, and a blocking download is refused there with `errc::would_deadlock`.
using LogSink = std::function<void(LogLevel level, std::string_view message)>;

/// Replaces where messages go; an empty sink brings back the default, standard error. Safe to call from any thread.
void setLogSink(LogSink sink);

/// Messages below the level are dropped; `warning` at first, or what the environment variable STILE_LOG says
/// (debug, info, warning, error, off).
void setLogLevel(LogLevel level);

}  // namespace stile
