#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "gl/api.hpp"
#include "gl/driver.hpp"

namespace stile::gl {

/// How a kernel sees a buffer: four-byte elements of a type, one or four at a time.
struct View {
    bool integer = false;
    bool wide = false;  ///< vec4, ivec4
};

/// The GL names of one piece of memory: a buffer, and the texture buffers over it that were needed so far.
struct Names {
    GLuint buffer = 0;
    std::array<GLuint, 4> textures{};
    std::size_t capacity = 0;
    std::byte* mapped = nullptr;  ///< its memory, where that stays mapped
};

class BufferPool;

/// Memory of a tensor on a device. Its destructor gives the names back to the pool and never calls GL.
class Buffer : public std::enable_shared_from_this<Buffer> {
  public:
    Buffer(std::shared_ptr<BufferPool> pool, Names names) : pool_(std::move(pool)), names_(names) {}
    ~Buffer();
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    [[nodiscard]] GLuint name() const noexcept { return names_.buffer; }
    [[nodiscard]] std::size_t capacity() const noexcept { return names_.capacity; }
    /// Its memory, where that is this machine's and stays mapped (Driver::hostVisible); else null. What was dispatched before
    /// has been written there. On the GL executor; who has a lease may read it on any thread.
    [[nodiscard]] std::byte* mapped() const noexcept { return names_.mapped; }
    [[nodiscard]] const BufferPool* pool() const noexcept { return pool_.get(); }
    /// The texture buffer for a view, made on first use. On the GL executor only; GL: glTexBuffer (GL 3.1, GLES 3.2).
    /// \throws Error `out_of_memory` or another that GL reports.
    [[nodiscard]] GLuint texture(const Api& gl, View view);

  private:
    friend class BufferPool;
    friend class BufferLease;
    std::shared_ptr<BufferPool> pool_;
    Names names_;
    int leases_ = 0;  ///< under the pool's mutex
};

/// Lends a buffer's mapped memory to the caller: it stays as it is, and readable, until the last lease ends, even if the pool is
/// closed before. Ends on any thread and never calls GL.
class BufferLease {
  public:
    explicit BufferLease(std::shared_ptr<Buffer> buffer);
    ~BufferLease();
    BufferLease(const BufferLease&) = delete;
    BufferLease& operator=(const BufferLease&) = delete;

  private:
    std::shared_ptr<Buffer> buffer_;
};

/// Buffers in size classes. `take` and `collect` belong to the GL executor; `give` is called from any thread.
class BufferPool : public std::enable_shared_from_this<BufferPool> {
  public:
    /// At most `idleCap` bytes are kept for reuse, and at most `limit` bytes are had from GL in all (0: no limit).
    BufferPool(const Api& gl, const Driver& driver, ErrorLedger& errors, std::size_t idleCap, std::size_t limit);

    /// A buffer of at least `bytes`. Its contents are undefined. Tries again after emptying the pool before it gives up.
    /// \throws Error `out_of_memory` with the sizes.
    [[nodiscard]] std::shared_ptr<Buffer> take(std::size_t bytes);
    /// One of the size that `take` would give, without memory: for kernels that are prepared but do not run.
    [[nodiscard]] std::shared_ptr<Buffer> promise(std::size_t bytes);
    /// Copies values to the beginning of a buffer. GL: none where it is mapped, else glBufferSubData.
    void write(const Buffer& buffer, std::span<const std::byte> bytes);
    /// Fills a buffer with zeros. GL: glBufferSubData.
    void clear(const Buffer& buffer);
    /// Called, from any thread, when there is something to collect: posts a call of `collect`. Must not throw.
    void onDropped(std::function<void()> wake) { wake_ = std::move(wake); }
    /// Deletes what has been dropped or trimmed since the last call.
    void collect();
    /// Deletes everything idle.
    void trim();
    /// The context is going: deletes everything but the memory on lease, also what tensors still hold (unless the context is lost and
    /// has nothing to delete). From now on GL is not called any more.
    void close(bool contextIsLost);
    /// Keeps the context until the last lease ends, if there is one.
    void keepWhileLent(std::shared_ptr<void> context);

    /// Whether the context was lost, and with it all values. From any thread.
    [[nodiscard]] bool isLost() const noexcept { return lost_; }
    /// Whether new buffers stay mapped.
    [[nodiscard]] bool isMapped() const noexcept { return isMapped_; }
    /// On lease, of the live ones.
    [[nodiscard]] std::size_t lentBytes() const noexcept { return lent_.load(std::memory_order_relaxed); }
    [[nodiscard]] std::size_t liveBytes() const noexcept { return live_.load(std::memory_order_relaxed); }
    [[nodiscard]] std::size_t idleBytes() const noexcept { return idle_.load(std::memory_order_relaxed); }
    [[nodiscard]] std::size_t peakBytes() const noexcept { return peak_.load(std::memory_order_relaxed); }
    [[nodiscard]] std::int64_t buffers() const noexcept { return count_.load(std::memory_order_relaxed); }

    /// The capacity of the size class that holds `bytes`: a power of two or one of three steps between; at most a quarter is
    /// spare.
    [[nodiscard]] static std::size_t sizeClass(std::size_t bytes) noexcept;

  private:
    friend class Buffer;
    friend class BufferLease;
    [[nodiscard]] std::string allocate(Names& names);
    [[nodiscard]] std::size_t capacityOf(std::size_t bytes) const noexcept;
    [[nodiscard]] std::shared_ptr<Buffer> handOut(const Names& names);
    void lend(Buffer& buffer);
    void endLease(Buffer& buffer) noexcept;
    void give(const Buffer& buffer) noexcept;
    void destroyTextures(const Names& names);
    void destroy(const Names& names);

    const Api& gl_;
    const Driver& driver_;
    ErrorLedger& errors_;
    const std::size_t idleCap_;
    const std::size_t limit_;

    std::function<void()> wake_;
    std::mutex mutex_;
    std::list<Names> kept_;  ///< the most recently given first
    std::vector<Names> dropped_;
    std::unordered_set<const Buffer*> out_;  ///< what tensors hold
    bool isMapped_;                          ///< on the GL executor
    bool closed_ = false;
    std::shared_ptr<void> context_;  ///< once closed, while something is on lease
    std::atomic<bool> lost_{false};
    std::atomic<std::size_t> live_{0}, idle_{0}, peak_{0}, lent_{0};
    std::atomic<std::int64_t> count_{0};
};

}  // namespace stile::gl
