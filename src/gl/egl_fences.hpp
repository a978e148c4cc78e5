#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>

#include "gl/fence.hpp"

namespace stile::gl {

/// A file descriptor that is closed at the end.
class Descriptor {
  public:
    explicit Descriptor(int number = -1) noexcept : number_(number) {}
    ~Descriptor();
    Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
    Descriptor& operator=(Descriptor&& other) = delete;
    /// Another number for the same, the caller's to close; -1 if that fails.
    [[nodiscard]] int duplicate() const noexcept;
    [[nodiscard]] int get() const noexcept { return number_; }
    [[nodiscard]] int release() noexcept;

  private:
    int number_;
};

/// EGL's sync functions for the display that is current, or what a test puts in their place.
struct EglSync {
    using Sync = void*;
    enum class Kind : std::uint8_t { fence, native };

    std::function<Sync(Kind)> create;  ///< null if that fails
    std::function<void(Sync)> destroy;
    /// Waits at most so long, on any thread, with or without a context. Whether the wait has ended otherwise: with the signal, or
    /// because it failed.
    std::function<bool(Sync, std::uint64_t nanoseconds)> wait;
    /// Empty where native fences are not offered. -1: a failure, or the fence has signalled.
    std::function<int(Sync)> duplicate;
    /// Whether it is known that EGL's other functions do not wait for a thread that waits for a fence.
    bool letsOthersIn = false;
};

/// Those of the display that is current on this thread, if `gl` is of its context. Without EGL fences `create` is empty and `why` says why; it says too
/// why there is no `duplicate`.
[[nodiscard]] EglSync loadEglSync(const Api& gl, std::string& why);

/// GL's fences, each with one of EGL's behind it, for which a thread without a context can wait. EGL 1.5 or EGL_KHR_fence_sync. The
/// thread is made when a fence is first awaited, and sleeps while none is.
///
/// EGL's fence is a hint to look, and GL's is the truth. Not for zink, on which a thread that waits spoils both: see workarounds.cpp.
class EglFences : public GlFences {
  public:
    EglFences(const Api& gl, const Driver& driver, EglSync egl, EglSync::Kind kind = EglSync::Kind::fence);
    /// Joins the thread, which takes `slice` at most, whatever it waits for.
    ~EglFences() override;
    EglFences(const EglFences&) = delete;
    EglFences& operator=(const EglFences&) = delete;

    void remove(Fence fence) override;
    int descriptor(Fence fence) override;

    /// How long the thread waits in EGL before it looks whether it is still wanted to.
    static constexpr std::uint64_t slice = 50'000'000;

  protected:
    void mark(Fence fence) override;
    /// EGL's fence behind one of GL's; null if there is none.
    [[nodiscard]] EglSync::Sync syncOf(Fence fence) const;

    const EglSync egl_;

  private:
    void run();

    const EglSync::Kind kind_;
    std::unordered_map<Fence, EglSync::Sync> syncs_;
    Descriptor event_;  ///< readable when the awaited fence has ended

    std::mutex mutex_;
    std::condition_variable changed_;
    EglSync::Sync wanted_ = nullptr;  ///< what the thread is to wait for
    EglSync::Sync inUse_ = nullptr;   ///< what it waits for now
    bool doomed_ = false;             ///< `inUse_` is to be destroyed when that wait is over
    bool stopping_ = false;
    std::thread thread_;
};

/// Fences of the operating system, each with a descriptor of its own. EGL_ANDROID_native_fence_sync.
class NativeFences final : public EglFences {
  public:
    NativeFences(const Api& gl, const Driver& driver, EglSync egl)
        : EglFences(gl, driver, std::move(egl), EglSync::Kind::native) {}
    int descriptor(Fence fence) override;
};

}  // namespace stile::gl
