#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "gl/api.hpp"
#include "gl/gpu.hpp"

namespace stile::testing {

/// A GL in the computer's memory: buffers, fences and as much of programs as the library asks for. Commands are put in a row and
/// done when a fence behind them is found signalled, so what was read too early shows. Dispatches run what the library gives
/// beside them (gl::HostKernel). Used by one thread at a time.
class MemoryGl {
  public:
    MemoryGl() = default;
    MemoryGl(const MemoryGl&) = delete;
    MemoryGl& operator=(const MemoryGl&) = delete;

    /// The one whose functions the calling thread calls.
    static MemoryGl*& current() noexcept;
    /// The address of a function; null if there is none.
    [[nodiscard]] static void* procAddress(std::string_view name);

  private:
    using Memory = std::vector<std::byte>;
    using MemoryPtr = std::shared_ptr<Memory>;
    friend struct MemoryGlFunctions;

    void fail(GLenum code) noexcept {
        if (error == GL_NO_ERROR) error = code;
    }
    GLuint name() noexcept { return ++names; }
    /// The memory bound to a target; null, and an error, if there is none or it is shorter.
    [[nodiscard]] MemoryPtr bound(GLenum target, GLintptr offset, GLsizeiptr size);
    void doUntil(std::uint64_t command);

    GLuint names = 0;
    GLenum error = GL_NO_ERROR;
    std::map<GLuint, MemoryPtr> buffers;
    std::map<GLenum, GLuint> bindings;
    std::set<GLuint> textures, shaders, programs;
    std::map<std::uintptr_t, std::uint64_t> fences;  ///< what has to be done before each
    std::deque<std::function<void()>> commands;
    std::uint64_t issued = 0, finished = 0;
    gl::HostKernel kernel;
    std::vector<MemoryPtr> kernelMemory;
};

}  // namespace stile::testing
