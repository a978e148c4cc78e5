#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "gl/api.hpp"

/// The GL calls in which a thread may wait for the GPU. They stand in blocking.cpp and nowhere else, which
/// tools/check_imports.py sees to, so that one counter knows of every wait (see <stile/testing/no_blocking_reads.hpp>).
namespace stile::gl {

/// Counts a wait of the calling thread; `what` says where it happens.
void countBlocking(std::string_view what) noexcept;

/// glClientWaitSync; with a timeout it counts as a wait.
[[nodiscard]] GLenum waitForSync(const Api& gl, GLsync sync, std::uint64_t nanoseconds);

/// glMapBufferRange of a whole buffer, to be read. Counts as a wait unless the memory is `idle`: new, or its fence has signalled.
[[nodiscard]] const std::byte* mapToRead(const Api& gl, GLenum target, std::size_t bytes, GLbitfield flags, bool idle);

/// glMapBufferRange of a whole new buffer, to be read and written for as long as it lives. Null where GL fails to.
[[nodiscard]] std::byte* mapForLife(const Api& gl, GLenum target, std::size_t bytes);

}  // namespace stile::gl
