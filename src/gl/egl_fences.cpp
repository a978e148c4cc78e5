#include "gl/egl_fences.hpp"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <string_view>
#include <utility>

namespace stile::gl {
namespace {

bool listed(std::string_view extensions, std::string_view name) {
    return (" " + std::string(extensions) + " ").find(" " + std::string(name) + " ") != std::string::npos;
}

/// An event that is readable from the start, or after `notify`.
Descriptor newEvent(bool ready) { return Descriptor(eventfd(ready ? 1 : 0, EFD_CLOEXEC | EFD_NONBLOCK)); }

template <class Function>
Function load(const char* name) {
    return reinterpret_cast<Function>(eglGetProcAddress(name));
}

}  // namespace

Descriptor::~Descriptor() {
    if (number_ >= 0) (void)::close(number_);
}

int Descriptor::duplicate() const noexcept { return fcntl(number_, F_DUPFD_CLOEXEC, 0); }

int Descriptor::release() noexcept { return std::exchange(number_, -1); }

EglSync loadEglSync(const Api& gl, std::string& why) {
    const EGLDisplay display = eglGetCurrentDisplay();
    // Another library's context, or a scripted one, may be in use while one of EGL's is current beside it.
    if (display == EGL_NO_DISPLAY || load<PFNGLFENCESYNCPROC>("glFenceSync") != gl.FenceSync) {
        why = "the context is not EGL's";
        return {};
    }
    const auto text = [&](EGLint what) -> std::string_view {
        const char* value = eglQueryString(display, what);
        return value ? value : "";
    };
    const std::string_view extensions = text(EGL_EXTENSIONS);
    // The functions of EGL 1.5 and of the extension differ in names only, as long as there are no attributes.
    const bool core = !text(EGL_VERSION).starts_with("1.4");
    if (!core && !listed(extensions, "EGL_KHR_fence_sync")) {
        why = "no EGL_KHR_fence_sync";
        return {};
    }
    const auto create = load<PFNEGLCREATESYNCKHRPROC>(core ? "eglCreateSync" : "eglCreateSyncKHR");
    const auto destroy = load<PFNEGLDESTROYSYNCKHRPROC>(core ? "eglDestroySync" : "eglDestroySyncKHR");
    const auto wait = load<PFNEGLCLIENTWAITSYNCKHRPROC>(core ? "eglClientWaitSync" : "eglClientWaitSyncKHR");
    if (!create || !destroy || !wait) {
        why = "EGL's sync functions are missing";
        return {};
    }
    EglSync egl;
    egl.create = [=](EglSync::Kind kind) {
        return create(display, kind == EglSync::Kind::fence ? EGL_SYNC_FENCE_KHR : EGL_SYNC_NATIVE_FENCE_ANDROID, nullptr);
    };
    egl.destroy = [=](EglSync::Sync sync) { destroy(display, sync); };
    egl.wait = [=](EglSync::Sync sync, std::uint64_t nanoseconds) {
        return wait(display, sync, 0, nanoseconds) != EGL_TIMEOUT_EXPIRED_KHR;
    };
    // Mesa releases the display while it waits, for all of its drivers; how others do it has not been measured.
    egl.letsOthersIn = text(EGL_VENDOR) == "Mesa Project";
    const auto duplicate = load<PFNEGLDUPNATIVEFENCEFDANDROIDPROC>("eglDupNativeFenceFDANDROID");
    if (duplicate && listed(extensions, "EGL_ANDROID_native_fence_sync")) {
        egl.duplicate = [=](EglSync::Sync sync) { return duplicate(display, sync); };
    } else {
        why = "no EGL_ANDROID_native_fence_sync";
    }
    return egl;
}

EglFences::EglFences(const Api& gl, const Driver& driver, EglSync egl, EglSync::Kind kind)
    : GlFences(gl, driver), egl_(std::move(egl)), kind_(kind), event_(newEvent(false)) {}

EglFences::~EglFences() {
    if (thread_.joinable()) {
        {
            const std::lock_guard lock(mutex_);
            stopping_ = true;
        }
        changed_.notify_one();
        thread_.join();
    }
    // Those of a lost context, whose fences nobody removes; EGL's belong to the display, which lives on.
    for (const auto& [fence, sync] : syncs_) egl_.destroy(sync);
}

void EglFences::mark(Fence fence) {
    if (const EglSync::Sync sync = egl_.create(kind_)) syncs_.emplace(fence, sync);
}

void EglFences::remove(Fence fence) {
    GlFences::remove(fence);
    const auto found = syncs_.find(fence);
    if (found == syncs_.end()) return;
    const EglSync::Sync sync = found->second;
    syncs_.erase(found);
    {
        const std::lock_guard lock(mutex_);
        if (wanted_ == sync) wanted_ = nullptr;
        if (inUse_ == sync) {
            doomed_ = true;
            return;
        }
    }
    egl_.destroy(sync);
}

EglSync::Sync EglFences::syncOf(Fence fence) const {
    const auto found = syncs_.find(fence);
    return found == syncs_.end() ? nullptr : found->second;
}

int EglFences::descriptor(Fence fence) {
    const EglSync::Sync sync = syncOf(fence);
    if (!sync) return -1;
    std::uint64_t stale = 0;
    (void)!::read(event_.get(), &stale, sizeof stale);
    {
        const std::lock_guard lock(mutex_);
        try {
            if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
        } catch (const std::system_error&) {
            return -1;  // no thread is to be had: the timer looks
        }
        wanted_ = sync;
    }
    changed_.notify_one();
    return event_.duplicate();
}

void EglFences::run() {
    (void)pthread_setname_np(pthread_self(), "stile-wait");
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return stopping_ || wanted_; });
        if (stopping_) return;
        inUse_ = wanted_;
        lock.unlock();
        const bool ended = egl_.wait(inUse_, slice);
        lock.lock();
        // Removed while it was awaited: EGL may not see its name again before this wait is over.
        if (std::exchange(doomed_, false)) egl_.destroy(inUse_);
        if (ended && wanted_ == inUse_) {
            wanted_ = nullptr;
            const std::uint64_t one = 1;
            (void)!::write(event_.get(), &one, sizeof one);
        }
        inUse_ = nullptr;
    }
}

int NativeFences::descriptor(Fence fence) {
    const EglSync::Sync sync = syncOf(fence);
    const int own = sync ? egl_.duplicate(sync) : -1;
    if (own >= 0) return own;
    // It may have signalled already; then something readable has the poller look at once. Else it is for the timer.
    return look(fence) == FenceState::pending ? -1 : newEvent(true).release();
}

}  // namespace stile::gl
