#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gl/api.hpp"
#include "gl/driver.hpp"
#include "gl/timer.hpp"

namespace stile::gl {

/// Which of several kernels for the same work is the fastest on this driver: measured once with timer queries, which are looked at
/// and never waited for, and kept on disk beside the program binaries. STILE_TUNING=0 turns it off, another value names the
/// candidate to be used.
class Tuning {
  public:
    /// An empty folder means that nothing is kept.
    Tuning(const Api& gl, const Driver& driver, std::filesystem::path folder);

    /// The candidate for a kind of work; empty as long as nothing is known.
    [[nodiscard]] std::string_view chosen(std::string_view kind);
    /// Whether the caller may measure the candidates now: nothing is known, nobody has begun, and times can be told.
    [[nodiscard]] bool begin(std::string_view kind);
    /// All work that GL was given since the mark before is a run of the candidate; of no candidate if it is empty.
    void mark(std::string_view kind, std::string_view candidate);
    /// All marks are there.
    void end(std::string_view kind) { kinds_.find(kind)->second.isComplete = true; }

    /// The context is lost: the marks are gone with it.
    void abandon() noexcept;

  private:
    struct Mark {
        std::string candidate;
        GLuint query;
    };
    struct Kind {
        std::string choice;
        std::vector<Mark> marks;
        bool begun = false, isComplete = false;
    };
    void decide(std::string_view name, Kind& kind);
    void load();
    void store() const;

    std::string identity_;
    std::filesystem::path file_;
    std::string forced_;
    bool on_ = true;
    Timer timer_;
    std::map<std::string, Kind, std::less<>> kinds_;
};

}  // namespace stile::gl
