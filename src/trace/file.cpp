#include "trace/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <mutex>

#include "log/log.hpp"

namespace stile::trace {
namespace {

std::int64_t nanoseconds(Time time) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}

/// Microseconds with three digits behind the point: exact, so that slices that nest do so in the file.
std::string microseconds(std::int64_t ns) { return fmt::format("{}.{:03}", ns / 1000, ns % 1000); }

/// Always a whole array: each write puts its events over the bracket that closed it, and a bracket behind.
class File {
  public:
    File(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}

    void add(std::string_view event) noexcept {
        const std::lock_guard lock(mutex_);
        if (broken_) return;
        try {
            if (!std::exchange(first_, false)) buffer_ += ",\n";
            buffer_ += event;
        } catch (...) {
            return;  // no memory: this event is lost
        }
        constexpr std::size_t enough = std::size_t{1} << 15;
        constexpr std::chrono::milliseconds long_ago{200};
        if (buffer_.size() >= enough || std::chrono::steady_clock::now() - written_ >= long_ago) write();
    }
    void flush() noexcept {
        const std::lock_guard lock(mutex_);
        write();
    }

  private:
    // With the mutex held.
    void write() noexcept {
        if (broken_) return;
        written_ = std::chrono::steady_clock::now();
        try {
            buffer_ += "\n]\n";
        } catch (...) {
            return;
        }
        for (std::size_t done = 0; done < buffer_.size();) {
            const ssize_t count =
                pwrite(descriptor_, buffer_.data() + done, buffer_.size() - done, end_ + static_cast<off_t>(done));
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) {
                broken_ = true;
                enabled = false;
                log::error("STILE_TRACE: writing {}: {}", path_, std::strerror(errno));
                return;
            }
            done += static_cast<std::size_t>(count);
        }
        end_ += static_cast<off_t>(buffer_.size()) - 3;
        buffer_.clear();
    }

    std::mutex mutex_;
    int descriptor_;
    std::string path_;
    std::string buffer_ = "[\n";
    off_t end_ = 0;  ///< where the closing bracket's line begins
    Time written_{};
    bool first_ = true;
    bool broken_ = false;
};

// Never closed: threads may write until the process ends.
std::atomic<File*> file{nullptr};

/// Says the name of the calling thread before its first event.
std::int64_t here() {
    thread_local const std::int64_t id = [] {
        std::array<char, 32> name{};
        (void)pthread_getname_np(pthread_self(), name.data(), name.size());
        const auto tid = static_cast<std::int64_t>(gettid());
        file.load()->add(fmt::format(R"({{"ph":"M","pid":{},"tid":{},"name":"thread_name","args":{{"name":{}}}}})", getpid(),
                                     tid, quoted(name.data())));
        return tid;
    }();
    return id;
}

/// Writes the members of an event behind those that every event has.
template <class... Args>
void event(char phase, std::int64_t track, Time at, fmt::format_string<Args...> format, Args&&... args) {
    std::string text =
        fmt::format(R"({{"ph":"{}","pid":{},"tid":{},"ts":{},)", phase, getpid(), track, microseconds(nanoseconds(at)));
    fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
    text += '}';
    file.load()->add(text);
}

}  // namespace

void openFromEnvironment() {
    static std::once_flag once;
    std::call_once(once, [] {
        const char* path = std::getenv("STILE_TRACE");
        if (!path || !*path) return;
        const int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (descriptor < 0) {
            log::error("STILE_TRACE: opening {}: {}", path, std::strerror(errno));
            return;
        }
        file = std::make_unique<File>(descriptor, path).release();
        std::atexit(flush);
        // A child that is forked off must not write into its parent's file.
        pthread_atfork(nullptr, nullptr, [] { enabled = false; });
        enabled = true;
        flush();
        file.load()->add(fmt::format(R"({{"ph":"M","pid":{},"name":"process_name","args":{{"name":{}}}}})", getpid(),
                                     quoted(program_invocation_short_name)));
    });
}

void flush() noexcept {
    if (on()) file.load()->flush();
}

std::uint64_t nextId() noexcept {
    static std::atomic<std::uint64_t> last{0};
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

std::int64_t addTrack(std::string_view name) {
    // Threads have small numbers.
    static std::atomic<std::int64_t> last{1'000'000'000};
    const std::int64_t track = last.fetch_add(1, std::memory_order_relaxed) + 1;
    if (on()) {
        file.load()->add(fmt::format(R"({{"ph":"M","pid":{},"tid":{},"name":"thread_name","args":{{"name":{}}}}})", getpid(),
                                     track, quoted(name)));
    }
    return track;
}

void slice(std::string_view category, std::string_view name, Time begin, Time end, std::string_view args, std::int64_t track) {
    if (!on()) return;
    event('X', track ? track : here(), begin, R"("dur":{},"cat":"{}","name":{},"args":{{{}}})",
          microseconds(std::max<std::int64_t>(0, nanoseconds(end) - nanoseconds(begin))), category, quoted(name), args);
}

void asyncBegin(std::string_view category, std::string_view name, std::uint64_t id, Time at, std::string_view args) {
    if (on()) event('b', here(), at, R"("cat":"{}","name":{},"id":{},"args":{{{}}})", category, quoted(name), id, args);
}

void asyncNote(std::string_view category, std::string_view name, std::uint64_t id, std::string_view args) {
    if (!on()) return;
    event('n', here(), std::chrono::steady_clock::now(), R"("cat":"{}","name":{},"id":{},"args":{{{}}})", category,
          quoted(name), id, args);
}

void asyncEnd(std::string_view category, std::string_view name, std::uint64_t id, Time at) {
    if (on()) event('e', here(), at, R"("cat":"{}","name":{},"id":{})", category, quoted(name), id);
}

void flow(Flow what, std::uint64_t id, Time at) {
    if (!on()) return;
    event(static_cast<char>(what), here(), at, R"("cat":"wait","name":"wait","id":{}{})", id,
          what == Flow::end ? R"(,"bp":"e")" : "");
}

void counter(std::string_view name, std::string_view args) {
    if (on()) event('C', here(), std::chrono::steady_clock::now(), R"("name":{},"args":{{{}}})", quoted(name), args);
}

std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
        } else {
            out += c;
        }
    }
    return out + '"';
}

Slice::Slice(const char* category, std::string_view name) noexcept : on_(trace::on()), category_(category), name_(name) {
    if (on_) begin_ = std::chrono::steady_clock::now();
}

Slice::~Slice() {
    if (on_) slice(category_, name_, begin_, std::chrono::steady_clock::now(), args_);
}

}  // namespace stile::trace
