#pragma once

#include <asio/io_context.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <stile/context.hpp>
#include <stile/device.hpp>
#include <stile/export.hpp>
#include <stile/testing/no_blocking_reads.hpp>

namespace stile STILE_EXPORT {

/// For tests of programs that use the library: devices that need no GPU, fail on demand and have a time of their own.
namespace testing {

/// How a fence ends.
enum class FenceEnd : std::uint8_t {
    signalled,  ///< as it should
    failed,     ///< its wait fails: `errc::fence_failed`
    lost,       ///< the context is lost: `errc::device_lost`, now and later
};

/// What a fence does when it is looked at.
struct FenceScript {
    /// So many looks that find it pending.
    int polls = 0;
    /// What the next look finds.
    FenceEnd end = FenceEnd::signalled;

    /// For `polls`: it never ends.
    static constexpr int never = -1;
};

/// What goes wrong on a context, by number; the first is 1. Numbers count from when the script was set. (Attaching a device makes
/// a fence: set the script afterwards.)
struct Script {
    /// What these fences do.
    std::map<int, FenceScript> fences{};
    /// What all other fences do.
    FenceScript otherFences{};
    /// These allocations of buffer memory find none; nor does the second attempt that the library makes of each.
    std::set<int> failingAllocations{};
    /// These shaders do not compile.
    std::set<int> failingShaders{};
    /// These calls of GL functions that can fail ("glDispatchCompute") do nothing and leave a GL error.
    std::map<std::string, std::set<int>, std::less<>> failingCalls{};
};

/// GL objects that exist.
struct GlObjects {
    int buffers = 0, textures = 0, shaders = 0, programs = 0, fences = 0;
    /// All of them.
    [[nodiscard]] int total() const noexcept { return buffers + textures + shaders + programs + fences; }
};

/// A GL context that follows a script. Without another one behind it, it is a GL of its own in the computer's memory that
/// computes with the library's own plain code: no driver is needed, and what has not been fenced has not been done. With a real
/// one behind, that does the work and the script what goes wrong.
///
/// Hand it to a device: `Device::open({.context = context})`, or make it current and use `loader()` for `Device::attach`. Program
/// binaries on disk should be off (`DeviceOptions::diskCache`) where shaders are to fail. The functions beyond those of
/// GlContext may be called from any thread.
class ScriptedContext final : public GlContext {
  public:
    /// A context that works as the script says.
    explicit ScriptedContext(Script script = {}, std::shared_ptr<GlContext> real = nullptr);
    ~ScriptedContext() override;
    ScriptedContext(const ScriptedContext&) = delete;
    ScriptedContext& operator=(const ScriptedContext&) = delete;

    void makeCurrent() override;
    void doneCurrent() noexcept override;
    [[nodiscard]] void* procAddress(const char* name) const override;
    [[nodiscard]] bool es() const noexcept override;
    /// For Device::attach.
    [[nodiscard]] std::function<void*(const char*)> loader();

    /// Follows another script from now on; its numbers count from now.
    void set(Script script);
    /// From now on every fence is pending, until `release`.
    void hold();
    /// The next look at a fence does not return before `release`: the GL thread stands still in it. Then it finds the fence
    /// signalled, if nothing else goes wrong.
    void freeze();
    /// Whether it does.
    [[nodiscard]] bool isFrozen() const;
    /// Ends `hold` and `freeze`.
    void release();
    /// The context is lost from now on.
    void lose();
    /// Calls of a GL function that can fail, since the script was set.
    [[nodiscard]] int calls(std::string_view function) const;
    /// The names of the GL functions that can fail.
    [[nodiscard]] static std::vector<std::string> functions();
    /// What exists now: nothing, once its device is closed and its leases have ended.
    [[nodiscard]] GlObjects objects() const;

    /// For the library's own use.
    struct State;

  private:
    std::shared_ptr<State> state_;
};

/// A device on a scripted context without a driver, attached to a loop, whose time passes only when it is told to: fences,
/// their deadlines and the deadlines of calls need no waiting. Used by the thread that runs the loop, one at a time: its context is
/// current there.
///
/// \code
/// asio::io_context loop;
/// stile::testing::FakeDevice fake(loop, {.fences = {{3, {.polls = 5, .end = stile::testing::FenceEnd::lost}}}});
/// asio::co_spawn(loop, codeUnderTest(), token);
/// fake.run();
/// \endcode
class FakeDevice {
  public:
    /// Opens it.
    explicit FakeDevice(asio::io_context& loop, Script script = {}, DeviceOptions options = {});
    /// Closes it.
    ~FakeDevice();
    FakeDevice(const FakeDevice&) = delete;
    FakeDevice& operator=(const FakeDevice&) = delete;

    /// The device: the default one, if no other is open.
    [[nodiscard]] Device& device() noexcept { return *device_; }
    /// Its context.
    [[nodiscard]] ScriptedContext& context() noexcept { return *context_; }

    /// The device's time since it was opened.
    [[nodiscard]] std::chrono::nanoseconds now() const noexcept;
    /// Runs what is ready on the loop, then lets so much time pass on the device, event by event, with what becomes ready on the
    /// way. Timers of your own go by the computer's time.
    void advance(std::chrono::nanoseconds time);
    /// Runs the loop until it is out of work; whenever nothing is ready, the device's next event comes.
    void run();

  private:
    class Executor;

    asio::io_context& loop_;
    std::shared_ptr<ScriptedContext> context_;
    Executor* executor_ = nullptr;  ///< the device's
    std::optional<Device> device_;
};

}  // namespace testing
}  // namespace stile
