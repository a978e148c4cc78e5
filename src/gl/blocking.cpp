#include "gl/blocking.hpp"

#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

#include "stile/error.hpp"
#include "stile/testing/no_blocking_reads.hpp"

namespace stile {
namespace {

std::atomic<std::int64_t> reads{0};

struct Last {
    std::mutex mutex;
    std::string what;
};

Last& last() {
    static auto* instance = std::make_unique<Last>().release();  // used by devices that outlive statics
    return *instance;
}

}  // namespace

namespace gl {

void countBlocking(std::string_view what) noexcept {
    const std::lock_guard lock(last().mutex);
    reads.fetch_add(1, std::memory_order_relaxed);
    try {
        last().what = what;
    } catch (...) {
        last().what.clear();
    }
}

GLenum waitForSync(const Api& gl, GLsync sync, std::uint64_t nanoseconds) {
    if (nanoseconds > 0) countBlocking("glClientWaitSync with a timeout");
    return gl.ClientWaitSync(sync, 0, nanoseconds);
}

const std::byte* mapToRead(const Api& gl, GLenum target, std::size_t bytes, GLbitfield flags, bool idle) {
    if (!idle) countBlocking("glMapBufferRange before the fence");
    return static_cast<const std::byte*>(gl.MapBufferRange(target, 0, static_cast<GLsizeiptr>(bytes), GL_MAP_READ_BIT | flags));
}

std::byte* mapForLife(const Api& gl, GLenum target, std::size_t bytes) {
    constexpr GLbitfield flags = GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    return static_cast<std::byte*>(gl.MapBufferRange(target, 0, static_cast<GLsizeiptr>(bytes), flags));
}

}  // namespace gl

std::int64_t testing::blockingReads() noexcept { return reads.load(std::memory_order_relaxed); }

void testing::expectNoBlockingReads(std::int64_t before) {
    const std::int64_t more = blockingReads() - before;
    if (more == 0) return;
    const std::lock_guard lock(last().mutex);
    throw Error(errc::sync_forbidden,
                fmt::format("{} blocking reads where none was expected; the last: {}", more, last().what));
}

}  // namespace stile
