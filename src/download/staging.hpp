#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <span>
#include <utility>

#include "gl/api.hpp"
#include "gl/driver.hpp"

namespace stile::download {

class Staging;

/// A piece of memory that the GPU copies into and the CPU reads. Returns to its pool when it dies, on the GL executor.
class StagingBlock {
  public:
    StagingBlock(std::shared_ptr<Staging> owner, GLuint buffer, std::size_t capacity, const std::byte* mapped)
        : owner_(std::move(owner)), buffer_(buffer), capacity_(capacity), mapped_(mapped) {}
    ~StagingBlock();
    StagingBlock(const StagingBlock&) = delete;
    StagingBlock& operator=(const StagingBlock&) = delete;

    [[nodiscard]] GLuint buffer() const noexcept { return buffer_; }
    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
    /// The bytes, once the copy's fence has signalled. Mapped for good, or now and until the block dies.
    /// \throws Error `out_of_memory` if it cannot be mapped.
    [[nodiscard]] std::span<const std::byte> read();
    /// The copy's fence has signalled.
    void land() noexcept { landed_ = true; }

  private:
    friend class Staging;
    std::shared_ptr<Staging> owner_;
    GLuint buffer_;
    std::size_t capacity_;
    const std::byte* mapped_;
    bool temporary_ = false;
    bool landed_ = false;
};

/// Staging memory in size classes. Persistent, coherent mappings where the driver has buffer storage (GL 4.4,
/// ARB/EXT_buffer_storage), buffers for reading otherwise. Everything on the GL executor.
class Staging : public std::enable_shared_from_this<Staging> {
  public:
    /// Keeps at most `cap` bytes when idle.
    Staging(const gl::Api& gl, const gl::Driver& driver, gl::ErrorLedger& errors, std::size_t cap)
        : gl_(gl), driver_(driver), errors_(errors), cap_(cap) {}

    /// \throws Error `out_of_memory` with the sizes.
    [[nodiscard]] std::unique_ptr<StagingBlock> take(std::size_t bytes);
    /// Deletes what is idle.
    void trim();
    /// From now on GL is not called any more.
    void abandon() noexcept;

    [[nodiscard]] std::size_t bytesInUse() const noexcept { return inUse_; }
    [[nodiscard]] std::size_t bytes() const noexcept { return inUse_ + idle_; }

  private:
    friend class StagingBlock;
    struct Idle {
        GLuint buffer;
        std::size_t capacity;
        const std::byte* mapped;
    };
    void give(const StagingBlock& block) noexcept;

    const gl::Api& gl_;
    const gl::Driver& driver_;
    gl::ErrorLedger& errors_;
    std::size_t cap_;
    std::list<Idle> kept_;  ///< the most recently used first
    std::size_t inUse_ = 0, idle_ = 0;
    bool abandoned_ = false;
};

}  // namespace stile::download
