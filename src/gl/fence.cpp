#include "gl/fence.hpp"

#include <algorithm>
#include <chrono>

#include "gl/blocking.hpp"
#include "gl/workarounds.hpp"

namespace stile::gl {
namespace {

GLsync toSync(Fence fence) { return reinterpret_cast<GLsync>(fence); }

Fence newFence(const Api& gl) { return reinterpret_cast<Fence>(gl.FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0)); }

}  // namespace

GlFences::~GlFences() {
    if (scrap_ != 0 && !isLost(gl_)) gl_.DeleteBuffers(1, &scrap_);
}

Fence GlFences::insert() {
    const bool two = isOn(Workaround::twoFences, driver_);
    if (two) copySomething();
    Fence fence = newFence(gl_);
    if (two && fence != 0) {
        copySomething();
        if (const Fence second = newFence(gl_)) {
            seconds_.emplace(fence, second);
        } else {
            gl_.DeleteSync(toSync(fence));
            fence = 0;
        }
    }
    if (fence != 0) mark(fence);
    // A fence that was never flushed may never signal, and a poll need not flush.
    gl_.Flush();
    return fence;
}

void GlFences::copySomething() {
    constexpr GLsizeiptr bytes = 4;
    const bool isNew = scrap_ == 0;
    if (isNew) gl_.GenBuffers(1, &scrap_);
    gl_.BindBuffer(GL_COPY_WRITE_BUFFER, scrap_);
    if (isNew) gl_.BufferData(GL_COPY_WRITE_BUFFER, 2 * bytes, nullptr, GL_DYNAMIC_COPY);
    gl_.CopyBufferSubData(GL_COPY_WRITE_BUFFER, GL_COPY_WRITE_BUFFER, 0, bytes, bytes);
    gl_.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
}

FenceState GlFences::wait(Fence fence, std::uint64_t nanoseconds) {
    const auto begin = std::chrono::steady_clock::now();
    const FenceState state = waitForOne(fence, nanoseconds);
    const auto second = seconds_.find(fence);
    if (state != FenceState::signalled || second == seconds_.end()) return state;
    const auto took = static_cast<std::uint64_t>(std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin).count());
    return waitForOne(second->second, nanoseconds - std::min(nanoseconds, took));
}

FenceState GlFences::waitForOne(Fence fence, std::uint64_t nanoseconds) {
    switch (waitForSync(gl_, toSync(fence), nanoseconds)) {
        case GL_ALREADY_SIGNALED:
        case GL_CONDITION_SATISFIED:
            // A lost context answers "signalled" to everything.
            return driver_.robust && isLost(gl_) ? FenceState::lost : FenceState::signalled;
        case GL_TIMEOUT_EXPIRED: return FenceState::pending;
        default: {
            const FenceState state = isLost(gl_) ? FenceState::lost : FenceState::failed;
            // Of the wait; or another context is current in its place by now, and was told a name that it does not know.
            (void)takeError(gl_);
            return state;
        }
    }
}

void GlFences::remove(Fence fence) {
    gl_.DeleteSync(toSync(fence));
    const auto second = seconds_.find(fence);
    if (second == seconds_.end()) return;
    gl_.DeleteSync(toSync(second->second));
    seconds_.erase(second);
}

}  // namespace stile::gl
