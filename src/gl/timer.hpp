#pragma once

#include <cstdint>
#include <vector>

#include "gl/api.hpp"
#include "gl/driver.hpp"

namespace stile::gl {

/// When the GPU came to certain places in the stream of its work, without waiting for it. On the GL executor.
/// GL: glQueryCounter (GL 3.3, EXT_disjoint_timer_query); nothing is available without that.
class Timer {
  public:
    Timer(const Api& gl, const Driver& driver) : gl_(gl), available_(driver.timerQueries) {}
    ~Timer();
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

    [[nodiscard]] bool isAvailable() const noexcept { return available_; }
    /// Puts a mark behind all work so far. Only where it is available.
    [[nodiscard]] GLuint mark();
    /// Puts the mark behind all work so far instead of where it was.
    void markAgain(GLuint mark) { gl_.QueryCounter(mark, GL_TIMESTAMP); }
    /// Whether the GPU has come to the mark. Does not wait.
    [[nodiscard]] bool isDone(GLuint mark) const;
    /// The GPU's clock when it came to a mark that is done, in nanoseconds. The mark is given back.
    [[nodiscard]] std::int64_t take(GLuint mark);
    /// The GPU's clock now, in nanoseconds. A driver may wait for the GPU here: not for running programs.
    [[nodiscard]] std::int64_t now() const;
    /// The context is lost: the marks are gone with it.
    void abandon() noexcept { all_.clear(); }

  private:
    const Api& gl_;
    const bool available_;
    std::vector<GLuint> all_, free_;
};

}  // namespace stile::gl
