#define BOOST_TEST_MODULE fences
#include <boost/test/unit_test.hpp>

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "gl/egl_fences.hpp"
#include "gl/fence_choice.hpp"
#include "process.hpp"
#include "stile/log.hpp"

// The choice of fences, and those of EGL, on a driver that does what the test says.

using namespace std::chrono_literals;
using stile::gl::Descriptor;
using stile::gl::EglFences;
using stile::gl::EglSync;
using stile::gl::Fence;
using stile::gl::FenceState;

namespace {

/// A driver whose fences signal when the test says so: GL's and EGL's have one counter of names, so EGL's comes after GL's.
struct FakeDriver {
    using Sync = EglSync::Sync;
    std::mutex mutex;
    std::set<Sync> alive, signalled, awaited;
    std::uintptr_t made = 0;
    int copies = 0;
    bool signalsAtOnce = true;
    bool destroyedWrongly = false;  ///< twice, or while somebody waited for it
    static inline FakeDriver* current = nullptr;

    FakeDriver() { current = this; }

    Sync create() {
        const std::lock_guard lock(mutex);
        const auto sync = reinterpret_cast<Sync>(++made);
        alive.insert(sync);
        if (signalsAtOnce) signalled.insert(sync);
        return sync;
    }
    void destroy(Sync sync) {
        const std::lock_guard lock(mutex);
        // On any thread, where Boost's checks may not be made.
        if (alive.erase(sync) == 0 || awaited.contains(sync)) destroyedWrongly = true;
    }
    bool wait(Sync sync, std::uint64_t nanoseconds) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::nanoseconds(nanoseconds);
        std::unique_lock lock(mutex);
        while (!signalled.contains(sync) && std::chrono::steady_clock::now() < end) {
            awaited.insert(sync);
            lock.unlock();
            std::this_thread::sleep_for(1ms);
            lock.lock();
        }
        awaited.erase(sync);
        return signalled.contains(sync);
    }
    EglSync egl() {
        EglSync out;
        out.create = [this](EglSync::Kind) { return create(); };
        out.destroy = [this](Sync sync) { destroy(sync); };
        out.wait = [this](Sync sync, std::uint64_t nanoseconds) { return wait(sync, nanoseconds); };
        out.letsOthersIn = true;
        return out;
    }
    /// Just enough of GL for fences.
    static stile::gl::Api gl() {
        stile::gl::Api out{};
        out.Flush = [] {};
        out.GetString = [](GLenum) { return reinterpret_cast<const GLubyte*>("fake"); };
        out.GenBuffers = [](GLsizei, GLuint* name) { *name = 1; };
        out.BindBuffer = [](GLenum, GLuint) {};
        out.BufferData = [](GLenum, GLsizeiptr, const void*, GLenum) {};
        out.CopyBufferSubData = [](GLenum, GLenum, GLintptr, GLintptr, GLsizeiptr) { ++current->copies; };
        out.DeleteBuffers = [](GLsizei, const GLuint*) {};
        out.FenceSync = [](GLenum, GLbitfield) { return static_cast<GLsync>(current->create()); };
        out.DeleteSync = [](GLsync sync) { current->destroy(sync); };
        out.ClientWaitSync = [](GLsync sync, GLbitfield, GLuint64 nanoseconds) -> GLenum {
            return current->wait(sync, nanoseconds) ? GL_ALREADY_SIGNALED : GL_TIMEOUT_EXPIRED;
        };
        return out;
    }
    static Sync eglOf(Fence fence) { return reinterpret_cast<Sync>(fence + 1); }
    void signal(Fence fence) {
        const std::lock_guard lock(mutex);
        signalled.insert(reinterpret_cast<Sync>(fence));
        signalled.insert(eglOf(fence));
    }
    bool awaits(Fence fence) {
        const std::lock_guard lock(mutex);
        return awaited.contains(eglOf(fence));
    }
};

bool readable(const Descriptor& descriptor, std::chrono::milliseconds limit) {
    pollfd wait{descriptor.get(), POLLIN, 0};
    return ::poll(&wait, 1, static_cast<int>(limit.count())) == 1;
}

std::ptrdiff_t helpers() {
    return std::ranges::count_if(test::threads(), [](const auto& entry) { return entry.second.name == "stile-wait"; });
}

struct Fixture {
    FakeDriver fake;
    stile::gl::Api gl = FakeDriver::gl();
    stile::gl::Driver driver{};
    std::vector<std::string> warnings, lines;

    Fixture() {
        driver.renderer = "a GPU";
        stile::setLogLevel(stile::LogLevel::info);
        stile::setLogSink([this](stile::LogLevel level, std::string_view text) {
            (level == stile::LogLevel::warning ? warnings : lines).emplace_back(text);
        });
    }
    ~Fixture() {
        stile::setLogSink({});
        BOOST_TEST(!fake.destroyedWrongly);
    }

    std::string chosen(const char* wanted, EglSync egl, const std::string& why = "") {
        lines.clear();
        const auto fences = stile::gl::chooseFences(gl, driver, wanted, std::move(egl), why);
        BOOST_TEST_REQUIRE(lines.size() == 1U);
        if (dynamic_cast<stile::gl::NativeFences*>(fences.get())) return "descriptor";
        if (dynamic_cast<EglFences*>(fences.get())) return "egl";
        return "timer";
    }
    /// With native fences whose descriptors are pipes, readable from the start.
    EglSync withNative() {
        EglSync egl = fake.egl();
        egl.duplicate = [](EglSync::Sync) {
            std::array<int, 2> ends{};
            BOOST_TEST_REQUIRE(::pipe(ends.data()) == 0);
            (void)::close(ends[1]);
            return ends[0];
        };
        return egl;
    }
};

}  // namespace

BOOST_AUTO_TEST_CASE(descriptors_come_before_the_thread_and_the_thread_before_the_timer) {
    Fixture f;
    BOOST_TEST(f.chosen(nullptr, f.withNative()) == "descriptor");
    BOOST_TEST(f.chosen(nullptr, f.fake.egl(), "no EGL_ANDROID_native_fence_sync") == "egl");
    BOOST_TEST(f.chosen(nullptr, {}, "the context is not EGL's") == "timer");
    BOOST_TEST(f.lines[0].find("the context is not EGL's") != std::string::npos);
    EglSync unknown = f.fake.egl();
    unknown.letsOthersIn = false;
    BOOST_TEST(f.chosen(nullptr, unknown) == "timer");
    f.driver.software = true;
    BOOST_TEST(f.chosen(nullptr, f.withNative()) == "timer");
    BOOST_TEST(f.warnings.empty());
    BOOST_TEST(f.fake.alive.empty());
}

BOOST_AUTO_TEST_CASE(each_way_can_be_asked_for_and_what_is_not_there_is_warned_about) {
    Fixture f;
    f.driver.software = true;
    BOOST_TEST(f.chosen("descriptor", f.withNative()) == "descriptor");
    BOOST_TEST(f.chosen("egl", f.withNative()) == "egl");
    BOOST_TEST(f.chosen("timer", f.withNative()) == "timer");
    BOOST_TEST(f.warnings.empty());
    BOOST_TEST(f.chosen("descriptor", f.fake.egl(), "no EGL_ANDROID_native_fence_sync") == "timer");
    BOOST_TEST(f.chosen("egl", {}, "the context is not EGL's") == "timer");
    BOOST_TEST(f.chosen("clock", {}) == "timer");
    BOOST_TEST_REQUIRE(f.warnings.size() == 3U);
    BOOST_TEST(f.warnings[0] == "STILE_WAITER=descriptor is not available: no EGL_ANDROID_native_fence_sync");
    BOOST_TEST(f.warnings[1] == "STILE_WAITER=egl is not available: the context is not EGL's");
    BOOST_TEST(f.warnings[2].find("clock") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(no_thread_waits_for_fences_of_zink) {
    Fixture f;
    f.driver.renderer = "zink (a GPU)";
    BOOST_TEST(f.chosen(nullptr, f.fake.egl()) == "timer");
    BOOST_TEST(f.lines[0].find("no-waiting-thread") != std::string::npos);
    BOOST_TEST(f.chosen(nullptr, f.withNative()) == "descriptor");
    BOOST_TEST(f.warnings.empty());
    BOOST_TEST(f.chosen("egl", f.withNative()) == "timer");
    BOOST_TEST_REQUIRE(f.warnings.size() == 1U);
    BOOST_TEST(f.warnings[0] == "STILE_WAITER=egl is not available: workaround no-waiting-thread");
    BOOST_TEST(helpers() == 0);
    setenv("STILE_DISABLE_WORKAROUNDS", "no-waiting-thread", 1);
    BOOST_TEST(f.chosen(nullptr, f.fake.egl()) == "egl");
    unsetenv("STILE_DISABLE_WORKAROUNDS");
}

BOOST_AUTO_TEST_CASE(a_fence_of_zink_is_two_each_behind_a_copy_and_both_must_signal) {
    Fixture f;
    f.driver.renderer = "zink (a GPU)";
    f.fake.signalsAtOnce = false;
    stile::gl::GlFences fences(f.gl, f.driver);
    const Fence fence = fences.insert();
    BOOST_TEST(f.fake.copies == 2);
    BOOST_TEST(f.fake.alive.size() == 2U);
    BOOST_CHECK(fences.look(fence) == FenceState::pending);
    f.fake.signalled.insert(reinterpret_cast<FakeDriver::Sync>(fence));
    BOOST_CHECK(fences.look(fence) == FenceState::pending);
    f.fake.signalled.insert(reinterpret_cast<FakeDriver::Sync>(fence + 1));
    BOOST_CHECK(fences.look(fence) == FenceState::signalled);
    fences.remove(fence);
    BOOST_TEST(f.fake.alive.empty());
}

BOOST_AUTO_TEST_CASE(a_way_that_fails_its_test_is_not_taken) {
    Fixture f;
    f.fake.signalsAtOnce = false;
    BOOST_TEST(f.chosen("egl", f.fake.egl()) == "timer");
    BOOST_TEST(f.warnings.at(0).find("nobody was woken within 250 ms") != std::string::npos);
    // A descriptor that is readable while its fence is pending.
    BOOST_TEST(f.chosen("descriptor", f.withNative()) == "timer");
    BOOST_TEST(f.warnings.at(1).find("before the fence had signalled") != std::string::npos);
    EglSync failing = f.fake.egl();
    failing.create = [](EglSync::Kind) { return nullptr; };
    BOOST_TEST(f.chosen("egl", failing) == "timer");
    BOOST_TEST(f.warnings.at(2).find("has no descriptor") != std::string::npos);
    BOOST_TEST(f.fake.alive.empty());
    BOOST_TEST(helpers() == 0);
}

BOOST_AUTO_TEST_CASE(no_descriptor_means_that_the_fence_has_signalled_or_is_for_the_timer) {
    Fixture f;
    EglSync egl = f.fake.egl();
    egl.duplicate = [](EglSync::Sync) { return -1; };
    stile::gl::NativeFences fences(f.gl, f.driver, egl);
    const Fence signalled = fences.insert();
    BOOST_TEST(readable(Descriptor(fences.descriptor(signalled)), 0ms));
    f.fake.signalsAtOnce = false;
    const Fence pending = fences.insert();
    BOOST_TEST(fences.descriptor(pending) == -1);
    fences.remove(signalled);
    fences.remove(pending);
    BOOST_TEST(helpers() == 0);
}

BOOST_AUTO_TEST_CASE(a_fence_that_signals_makes_the_descriptor_readable_and_the_thread_sleeps_again) {
    Fixture f;
    f.fake.signalsAtOnce = false;
    EglFences fences(f.gl, f.driver, f.fake.egl());
    BOOST_TEST(helpers() == 0);
    for (int i = 0; i < 3; ++i) {
        const Fence fence = fences.insert();
        const Descriptor descriptor(fences.descriptor(fence));
        BOOST_TEST(!readable(descriptor, 5ms));
        BOOST_CHECK(fences.look(fence) == FenceState::pending);
        f.fake.signal(fence);
        BOOST_TEST(readable(descriptor, 10s));
        BOOST_TEST(helpers() == 1);
        BOOST_CHECK(fences.look(fence) == FenceState::signalled);
        fences.remove(fence);
    }
    BOOST_TEST(f.fake.alive.empty());
}

BOOST_AUTO_TEST_CASE(a_fence_removed_while_it_is_awaited_is_destroyed_after_the_wait) {
    Fixture f;
    f.fake.signalsAtOnce = false;
    EglFences fences(f.gl, f.driver, f.fake.egl());
    const Fence first = fences.insert(), second = fences.insert();
    const Descriptor gone(fences.descriptor(first));
    while (!f.fake.awaits(first)) std::this_thread::yield();
    fences.remove(first);
    const Descriptor descriptor(fences.descriptor(second));
    f.fake.signal(second);
    BOOST_TEST(readable(descriptor, 10s));
    fences.remove(second);
    BOOST_TEST(f.fake.alive.empty());
}

BOOST_AUTO_TEST_CASE(fences_that_never_signal_end_soon_with_their_source) {
    Fixture f;
    f.fake.signalsAtOnce = false;
    const auto start = std::chrono::steady_clock::now();
    {
        EglFences fences(f.gl, f.driver, f.fake.egl());
        const Fence fence = fences.insert();
        const Descriptor descriptor(fences.descriptor(fence));
        while (!f.fake.awaits(fence)) std::this_thread::yield();
        fences.remove(fence);
    }
    BOOST_CHECK(std::chrono::steady_clock::now() - start < 2s);
    BOOST_TEST(f.fake.alive.empty());
    BOOST_TEST(helpers() == 0);
}
