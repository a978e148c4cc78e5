#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "gl/api.hpp"
#include "gl/counters.hpp"
#include "gl/driver.hpp"

namespace stile::gl {

/// How long a kind of work takes, as far as it is known: a guess at first, then what was measured.
class Speed {
  public:
    /// In nanoseconds, for so many units of work.
    [[nodiscard]] double estimate(double work) const noexcept { return perUnit_ * work; }
    /// Work took so many times as long as was estimated.
    void correct(double factor) noexcept;

  private:
    double perUnit_ = 0.2;  ///< of a slow GPU, so that the first piece of a long job is rather too short than too long
    int measurements_ = 0;
};

/// A compiled program. Dies on the GL executor, where it deletes its name unless the context is lost.
struct Program {
    Program(const Api& api, GLuint id) : gl(api), name(id) {}
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    const Api& gl;
    const GLuint name;
    Speed speed;
};
using ProgramPtr = std::shared_ptr<Program>;

/// Compiled programs by structure, least recently used first out; behind them a cache of program binaries on disk.
/// Shapes and strides are uniforms, so another size is never another program.
class Programs {
  public:
    /// Keeps at most `limit` programs. An empty folder means no disk cache.
    Programs(const Api& gl, const Driver& driver, ErrorLedger& errors, std::size_t limit, std::filesystem::path folder,
             Counters& counters);
    Programs(const Programs&) = delete;
    Programs& operator=(const Programs&) = delete;

    /// The program for a key, whose first line is its title in messages; on a miss it is made from what `source` returns.
    /// \throws Error `shader_failed` with the driver's log.
    [[nodiscard]] ProgramPtr get(std::string_view key, const std::function<std::string()>& source);
    /// Whether it is there.
    [[nodiscard]] bool has(std::string_view key) const { return byKey_.contains(key); }
    /// Has the driver begin to compile a program that is neither here nor on disk, without waiting for it: `get` does that.
    /// GL: GL_KHR_parallel_shader_compile; does nothing without it.
    void begin(const std::string& key, const std::function<std::string()>& source);
    /// Whether the driver still compiles it.
    [[nodiscard]] bool isCompiling(const std::string& key) const;
    /// Lets go of all programs.
    void clear() noexcept;

  private:
    struct Entry {
        std::string key;
        ProgramPtr program;
    };
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>{}(text); }
    };

    /// A program that the driver compiles.
    struct Begun {
        GLuint shader = 0, program = 0;
    };

    [[nodiscard]] Begun compile(const std::string& source) const;
    /// Waits for it. \throws Error `shader_failed`.
    [[nodiscard]] GLuint finish(const Begun& begun, std::string_view key, const std::string& source) const;
    GLuint load(const std::string& source);
    void store(const std::string& source, GLuint program);
    [[nodiscard]] std::filesystem::path fileOf(const std::string& source) const;

    const Api& gl_;
    const Driver& driver_;
    ErrorLedger& errors_;
    const std::size_t limit_;
    std::filesystem::path folder_;
    std::list<Entry> order_;
    std::unordered_map<std::string, std::list<Entry>::iterator, Hash, std::equal_to<>> byKey_;
    std::unordered_map<std::string, Begun> begun_;
    Counters& counters_;
};

/// $XDG_CACHE_HOME/stile or ~/.cache/stile; empty (no cache) if neither is known or STILE_DISK_CACHE=0.
[[nodiscard]] std::filesystem::path cacheFolder();

}  // namespace stile::gl
