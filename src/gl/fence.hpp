#pragma once

#include <cstdint>
#include <unordered_map>

#include "gl/api.hpp"
#include "gl/driver.hpp"

namespace stile::gl {

/// What a look at a fence tells.
enum class FenceState : std::uint8_t { pending, signalled, failed, lost };

/// A mark in the stream of GPU work. 0 is none.
using Fence = std::uintptr_t;

/// Where fences come from: a GL context, or a script in tests. All calls on the GL executor.
class FenceSource {
  public:
    virtual ~FenceSource() = default;
    /// Puts a fence behind all work so far and sees to it that it will signal. 0 if that fails.
    [[nodiscard]] virtual Fence insert() = 0;
    /// Looks without waiting.
    [[nodiscard]] virtual FenceState look(Fence fence) = 0;
    /// Waits, at most so long.
    [[nodiscard]] virtual FenceState wait(Fence fence, std::uint64_t nanoseconds) = 0;
    virtual void remove(Fence fence) = 0;
    /// A file descriptor, the caller's to close, that becomes readable when the fence has ended, and may do so too early. For
    /// one fence at a time: asking for another's ends what was asked for before. -1: there is none, look now and then.
    [[nodiscard]] virtual int descriptor(Fence fence) {
        (void)fence;
        return -1;
    }
};

/// Sync objects. GL: glFenceSync, glClientWaitSync (GL 3.2, GLES 3.0).
class GlFences : public FenceSource {
  public:
    GlFences(const Api& gl, const Driver& driver) : gl_(gl), driver_(driver) {}
    ~GlFences() override;
    GlFences(const GlFences&) = delete;
    GlFences& operator=(const GlFences&) = delete;
    Fence insert() override;
    FenceState look(Fence fence) override { return wait(fence, 0); }
    FenceState wait(Fence fence, std::uint64_t nanoseconds) override;
    void remove(Fence fence) override;

  protected:
    /// Before the flush, a derived class puts its own mark behind GL's.
    virtual void mark(Fence fence) { (void)fence; }

  private:
    [[nodiscard]] FenceState waitForOne(Fence fence, std::uint64_t nanoseconds);
    /// Gives the next fence a command to stand behind.
    void copySomething();

    const Api& gl_;
    const Driver& driver_;
    // Only with the workaround two-fences.
    std::unordered_map<Fence, Fence> seconds_;  ///< what has to signal too
    GLuint scrap_ = 0;                          ///< a buffer
};

}  // namespace stile::gl
