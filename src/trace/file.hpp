#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

/// The file that STILE_TRACE names, in Chrome's trace event format: an array of JSON objects that chrome://tracing and Perfetto
/// show. All of it may be called from any thread. Arguments of events are the members of a JSON object, without its braces.
namespace stile::trace {

using Time = std::chrono::steady_clock::time_point;

inline std::atomic<bool> enabled{false};
/// Whether a trace is written: one relaxed load.
[[nodiscard]] inline bool on() noexcept { return enabled.load(std::memory_order_relaxed); }
/// Opens the file that STILE_TRACE names, if it does; once in a process.
void openFromEnvironment();
/// Hands what has been gathered to the system.
void flush() noexcept;

/// Names what is followed from one event to others. Never 0.
[[nodiscard]] std::uint64_t nextId() noexcept;
/// A track beside those of the threads.
[[nodiscard]] std::int64_t addTrack(std::string_view name);

/// Something that took so long on the calling thread, or on a track of its own.
void slice(std::string_view category, std::string_view name, Time begin, Time end, std::string_view args = {},
           std::int64_t track = 0);
/// Something that begins and ends on any threads and may overlap others of its kind.
void asyncBegin(std::string_view category, std::string_view name, std::uint64_t id, Time at, std::string_view args = {});
/// Says more about one that has begun.
void asyncNote(std::string_view category, std::string_view name, std::uint64_t id, std::string_view args);
void asyncEnd(std::string_view category, std::string_view name, std::uint64_t id, Time at);
/// An arrow from slice to slice: from `start` over any number of `step` to `end`, each in the slice that surrounds it.
enum class Flow : char { start = 's', step = 't', end = 'f' };
void flow(Flow what, std::uint64_t id, Time at);
/// Values that are drawn over time.
void counter(std::string_view name, std::string_view args);

/// The text as a JSON string, with its quotes.
[[nodiscard]] std::string quoted(std::string_view text);

/// A slice from its construction to its end.
class Slice {
  public:
    /// `name` must live as long.
    Slice(const char* category, std::string_view name) noexcept;
    ~Slice();
    Slice(const Slice&) = delete;
    Slice& operator=(const Slice&) = delete;

    /// Whether it is written: arguments need not be put together otherwise.
    [[nodiscard]] bool isOn() const noexcept { return on_; }
    void args(std::string args) noexcept { args_ = std::move(args); }

  private:
    bool on_;
    const char* category_;
    std::string_view name_;
    std::string args_;
    Time begin_;
};

}  // namespace stile::trace
