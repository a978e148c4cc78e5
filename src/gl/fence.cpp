#include "gl/fence.hpp"

#include "gl/blocking.hpp"

namespace stile::gl {
namespace {

GLsync toSync(Fence fence) { return reinterpret_cast<GLsync>(fence); }

}  // namespace

Fence GlFences::insert() {
    const auto fence = reinterpret_cast<Fence>(gl_.FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0));
    if (fence != 0) mark(fence);
    // A fence that was never flushed may never signal, and a poll need not flush.
    gl_.Flush();
    return fence;
}

FenceState GlFences::wait(Fence fence, std::uint64_t nanoseconds) {
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

void GlFences::remove(Fence fence) { gl_.DeleteSync(toSync(fence)); }

}  // namespace stile::gl
