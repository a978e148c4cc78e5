#include "log/log.hpp"

#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdlib>
#include <memory>
#include <string>

namespace stile {
namespace {

spdlog::level::level_enum toSpdlog(LogLevel level) {
    switch (level) {
        case LogLevel::debug: return spdlog::level::debug;
        case LogLevel::info: return spdlog::level::info;
        case LogLevel::warning: return spdlog::level::warn;
        case LogLevel::error: return spdlog::level::err;
        case LogLevel::off: break;
    }
    return spdlog::level::off;
}

LogLevel fromSpdlog(spdlog::level::level_enum level) {
    if (level <= spdlog::level::debug) return LogLevel::debug;
    if (level == spdlog::level::info) return LogLevel::info;
    if (level == spdlog::level::warn) return LogLevel::warning;
    return LogLevel::error;
}

spdlog::level::level_enum initialLevel() {
    const char* text = std::getenv("STILE_LOG");
    const std::string_view level = text ? text : "";
    if (level == "debug") return spdlog::level::debug;
    if (level == "info") return spdlog::level::info;
    if (level == "error") return spdlog::level::err;
    if (level == "off") return spdlog::level::off;
    return spdlog::level::warn;
}

thread_local bool inSink = false;

struct InSink {
    InSink() noexcept { inSink = true; }
    ~InSink() { inSink = false; }
};

/// Hands on to whichever sink is set, under the lock that spdlog takes around a sink.
class Switch final : public spdlog::sinks::base_sink<std::mutex> {
  public:
    Switch() { standard_.set_pattern("[stile] [%^%l%$] %v"); }
    void replace(LogSink user) {
        const std::lock_guard lock(mutex_);
        user_ = std::move(user);
    }
    [[nodiscard]] bool isReplaced() {
        const std::lock_guard lock(mutex_);
        return user_ != nullptr;
    }

  protected:
    void sink_it_(const spdlog::details::log_msg& message) override {
        if (user_) {
            const InSink here;
            user_(fromSpdlog(message.level), std::string_view(message.payload.data(), message.payload.size()));
        } else {
            standard_.log(message);
        }
    }
    void flush_() override { standard_.flush(); }

  private:
    LogSink user_;
    spdlog::sinks::stderr_color_sink_mt standard_;
};

struct Logging {
    std::shared_ptr<Switch> sink = std::make_shared<Switch>();
    spdlog::logger logger{"stile", sink};
    Logging() { logger.set_level(initialLevel()); }
};

// Never destroyed: a device that outlives main's statics may still have something to say.
Logging& logging() {
    static auto* instance = std::make_unique<Logging>().release();
    return *instance;
}

}  // namespace

void setLogSink(LogSink sink) { logging().sink->replace(std::move(sink)); }
void setLogLevel(LogLevel level) { logging().logger.set_level(toSpdlog(level)); }

void log::write(LogLevel level, std::string_view message) { logging().logger.log(toSpdlog(level), message); }
void log::warnAtExit(std::string_view message) {
    if (!logging().sink->isReplaced()) logging().logger.warn(message);
}
bool log::enabled(LogLevel level) noexcept { return !inSink && logging().logger.should_log(toSpdlog(level)); }
bool log::isInSink() noexcept { return inSink; }

}  // namespace stile
