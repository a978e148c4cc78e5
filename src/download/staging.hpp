#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "gl/api.hpp"
#include "gl/driver.hpp"

namespace stile::download {

class Staging;

/// A piece of memory that the GPU copies into and the CPU reads. Returns to its pool when it dies, on any thread; its destructor
/// never calls GL.
class StagingBlock {
  public:
    StagingBlock(std::shared_ptr<Staging> owner, GLuint buffer, std::size_t capacity, const std::byte* mapped)
        : owner_(std::move(owner)), buffer_(buffer), capacity_(capacity), mapped_(mapped) {}
    ~StagingBlock();
    StagingBlock(const StagingBlock&) = delete;
    StagingBlock& operator=(const StagingBlock&) = delete;

    [[nodiscard]] GLuint buffer() const noexcept { return buffer_; }
    /// The bytes, once the copy's fence has signalled. On the GL executor; what it gives may be read on any thread.
    /// \throws Error `out_of_memory` or `gl_error` if they cannot be had.
    [[nodiscard]] std::span<const std::byte> read();
    /// The copy's fence has signalled.
    void land() noexcept { landed_ = true; }
    /// From now on the caller's: it does not count as in flight any more.
    void lend() noexcept;

  private:
    friend class Staging;
    std::shared_ptr<Staging> owner_;
    GLuint buffer_;
    std::size_t capacity_;
    const std::byte* mapped_;
    bool landed_ = false;
    std::vector<std::byte> copy_;  ///< where there are no persistent mappings
    bool lent_ = false;
};

/// Staging memory in size classes. Persistent, coherent mappings where the driver has buffer storage (GL 4.4,
/// ARB/EXT_buffer_storage), buffers for reading otherwise. On the GL executor, but for what blocks call.
class Staging : public std::enable_shared_from_this<Staging> {
  public:
    /// Keeps at most `cap` bytes when idle.
    Staging(const gl::Api& gl, const gl::Driver& driver, gl::ErrorLedger& errors, std::size_t cap)
        : gl_(gl), driver_(driver), errors_(errors), cap_(cap) {}

    /// Tries again after deleting what is idle before it gives up.
    /// \throws Error `out_of_memory` with the sizes.
    [[nodiscard]] std::shared_ptr<StagingBlock> take(std::size_t bytes);
    /// Called, from any thread, when there is something to collect. Must not throw.
    void onDropped(std::function<void()> wake) { wake_ = std::move(wake); }
    /// Deletes what was given back beyond the cap.
    void collect();
    /// Deletes what is idle, unless the context is lost, and calls GL no more. `context` lives until the last lease ends.
    void close(bool contextIsLost, std::shared_ptr<void> context);

    // From any thread, in bytes.

    /// Held by downloads in flight; what is lent does not count.
    [[nodiscard]] std::size_t inUse() const noexcept { return inUse_; }
    /// Held by callers.
    [[nodiscard]] std::size_t lent() const noexcept { return lent_; }
    /// Kept for reuse.
    [[nodiscard]] std::size_t idle() const noexcept { return idle_; }

  private:
    friend class StagingBlock;
    struct Idle {
        GLuint buffer;
        std::size_t capacity;
        const std::byte* mapped;
    };
    void give(const StagingBlock& block) noexcept;
    void lend(std::size_t capacity) noexcept;
    [[nodiscard]] std::string allocate(GLuint& buffer, const std::byte*& mapped, std::size_t capacity);

    const gl::Api& gl_;
    const gl::Driver& driver_;
    gl::ErrorLedger& errors_;
    const std::size_t cap_;

    std::function<void()> wake_;
    std::mutex mutex_;
    std::list<Idle> kept_;  ///< the most recently used first
    std::vector<Idle> dropped_;
    std::atomic<std::size_t> inUse_{0}, lent_{0}, idle_{0};
    bool closed_ = false;
    std::shared_ptr<void> context_;
};

}  // namespace stile::download
