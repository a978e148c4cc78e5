#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <stile/context.hpp>
#include <stile/export.hpp>
#include <stile/sync.hpp>

namespace stile STILE_EXPORT {

class Tensor;
struct DownloadOptions;

namespace detail {
class DeviceCore;
class GlExecutor;
}  // namespace detail

/// Which API a headless context speaks.
enum class GlApi : std::uint8_t {
    automatic,  ///< what the environment variable STILE_API says (gl or es), else GL, and GLES where there is no GL
    gl,         ///< GL 4.3 core or later
    es,         ///< GLES 3.1 or later
};

/// How a device is opened. The limits are soft, but for memoryLimit: at one, callers wait their turn; nothing fails and no thread
/// blocks. Counts are at least 1.
struct DeviceOptions {
    /// The name in messages.
    std::string label = "gpu";

    /// Which API to ask for.
    GlApi api = GlApi::automatic;
    /// An EGL device; by default the first that works, hardware first.
    std::optional<int> deviceIndex{};
    /// A context of your own for the GL thread, such as one that shares objects with a window; then `api` and `deviceIndex` do
    /// not count.
    std::shared_ptr<GlContext> context{};
    /// A debug context, whose messages are logged.
    bool debug = false;
    /// Use only what GLES 3.1 promises, whatever the driver offers: for tests.
    bool minimumLimits = false;

    /// Fences in flight.
    std::size_t maxFences = 64;
    /// Recorded operations that wait; beyond it they are submitted without being asked for.
    std::size_t maxRecorded = 1024;
    /// How much work is given to the GPU at a time, as far as it can be estimated: a small download that is asked for meanwhile waits
    /// for two such slices at most, not for the whole of a long graph. Shorter slices cost throughput. 0: no slices.
    std::chrono::nanoseconds slice = std::chrono::milliseconds(8);
    /// Bytes of staging memory for downloads in flight; what `map` has lent does not count. A larger single download gets what it
    /// needs when nothing else is.
    std::size_t stagingBytes = std::size_t{256} << 20;
    /// Bytes of unused buffers kept for reuse.
    std::size_t poolBytes = std::size_t{512} << 20;
    /// Bytes of tensors on the device; beyond it operations fail with `errc::out_of_memory`. 0: the driver's own limit.
    std::size_t memoryLimit = 0;
    /// Compiled programs.
    std::size_t maxPrograms = 256;
    /// Program binaries are kept in $XDG_CACHE_HOME/stile (or ~/.cache/stile).
    bool diskCache = true;

    /// A fence that has not signalled after so long fails its downloads with `errc::timed_out`. From a millisecond to a year.
    std::chrono::nanoseconds deadline = std::chrono::minutes(5);
    /// What blocking downloads do.
    SyncPolicy sync = SyncPolicy::warn;
    /// Element-wise chains share kernels. STILE_FUSION=0 turns it off too.
    bool fusion = true;
    /// Where the renderer is the CPU, operations that are faster without a shader do without: products and convolutions, by oneDNN if it
    /// was built with it, and others. STILE_HOST_KERNELS=0 turns them off too.
    bool hostKernels = true;
};

/// What a device holds, in bytes unless said otherwise.
struct MemoryInfo {
    std::int64_t tensors = 0;      ///< values on the device (a count)
    std::int64_t recorded = 0;     ///< operations that wait to be run (a count)
    std::int64_t buffers = 0;      ///< GL buffers of tensors, in use or pooled (a count)
    std::size_t live = 0;          ///< in use by tensors
    std::size_t pooled = 0;        ///< kept for reuse
    std::size_t staging = 0;       ///< staging memory of downloads in flight, or pooled
    std::size_t stagingInUse = 0;  ///< of it, what downloads in flight hold
    std::size_t leased = 0;        ///< what `map` has lent: staging memory, or on a CPU renderer tensors that count as live too
    std::size_t peak = 0;          ///< the most that tensors and pool took
};

/// What a device has done since it was opened, and what it holds in flight.
struct DeviceStats {
    std::int64_t submissions = 0;  ///< batches of recorded work
    std::int64_t kernels = 0;      ///< nodes run by a kernel of their own
    std::int64_t dispatches = 0;   ///< glDispatchCompute calls
    std::int64_t copies = 0;       ///< tensors copied to staging memory, or read in place (a CPU renderer)
    std::int64_t fences = 0;       ///< fences made
    /// Fences made and not yet seen signalled.
    std::int64_t fencesInFlight = 0;
    std::int64_t fencesOverdue = 0;    ///< of these, past the device's deadline
    std::int64_t requestsWaiting = 0;  ///< downloads whose turn has not come
    std::int64_t programs = 0;         ///< programs in the cache
    std::int64_t compiled = 0;         ///< programs compiled from source
    std::int64_t loaded = 0;           ///< programs loaded from disk
    std::int64_t polls = 0;            ///< looks at fences
    std::int64_t debugErrors = 0;      ///< errors that a debug context reported
};

/// What a device is doing at a moment.
struct DeviceStatus {
    /// Somebody who waits.
    struct Wait {
        std::string what;                ///< the operations that it waits for, with their shapes
        std::string stage;               ///< gathered, waiting, running or fenced
        std::chrono::nanoseconds age{};  ///< since it was asked for
    };
    std::string running;                    ///< the operation that the GL executor runs, with its shape; empty if none
    std::chrono::nanoseconds runningFor{};  ///< for how long it has
    std::size_t gathered = 0;   ///< requests in the inbox, until their turn of the loop ends or the GL executor comes to them
    std::size_t waiting = 0;    ///< requests at a limit of fences or staging memory
    std::size_t submitted = 0;  ///< requests whose operations are being run
    std::size_t fenced = 0;     ///< requests behind a fence
    std::vector<Wait> oldest;   ///< the first of these requests, the oldest first
    MemoryInfo memory;          ///< what it holds
    DeviceStats stats;          ///< what it has done
};

/// What a device runs on.
struct DriverInfo {
    std::string vendor;     ///< GL_VENDOR
    std::string renderer;   ///< GL_RENDERER
    std::string version;    ///< GL_VERSION
    bool es = false;        ///< GLES rather than GL
    bool software = false;  ///< the renderer is this machine's CPU

    /// Equal in everything.
    friend bool operator==(const DriverInfo&, const DriverInfo&) = default;
};

/// What takes the place of a lost context, where the library did not make that one itself.
struct ReopenOptions {
    /// For a device that was opened with a context of yours, or is to go on with one: the new one.
    std::shared_ptr<GlContext> context{};
    /// For an attached device: maps the name of a GL function to its address in the new context. That context has to be current
    /// on the loop's thread, in place of the old one, when `reopen` is called, and stay so.
    std::function<void*(const char*)> loader{};
};

/// A GL context that tensors are computed on, and the executor on which GL is called. Owns both: destroying it closes it.
///
/// The first open device is the default, used by operations none of whose operands is bound to a device. All members may be
/// called from any thread, except where said.
class Device {
  public:
    /// A headless context on a thread of its own, named stile-gl. The library makes one more for a device, stile-wait, where
    /// STILE_WAITER or the driver has EGL fences waited for by a thread; drivers make others. Blocks until it is there, which takes
    /// some tens of milliseconds.
    /// \throws Error `no_context` that lists every attempt.
    [[nodiscard]] static Device open(const DeviceOptions& options = {});

    /// The application's own context, which is current on the calling thread, with GL called on `executor`: a loop that only
    /// this thread runs. `loader` maps a GL function's name to its address (glfwGetProcAddress). GL state is left as it was
    /// found. The device must be closed on this thread with the context current. Defined in <stile/attach.hpp>.
    /// \throws Error `no_context` if the context is older than GL 4.3 or GLES 3.1.
    template <class Executor>
    [[nodiscard]] static Device attach(const Executor& executor, std::function<void*(const char*)> loader,
                                       const DeviceOptions& options = {});

    /// Takes the device over; the other holds none.
    Device(Device&&) noexcept = default;
    /// Closes the one that it holds and takes the other over.
    Device& operator=(Device&& other) noexcept;
    /// Closes it.
    ~Device();

    /// Completes everything pending with `errc::device_closed`, and gives the context back. Waits for the GL command that is
    /// running now, and on a GL thread for that thread. Tensors may live on; operations that need the device fail.
    void close() noexcept;
    /// Whether it has not been closed.
    [[nodiscard]] bool isOpen() const noexcept;

    /// Starts at once what was asked for in this turn of the loop, instead of at its end.
    void flush() const;

    /// Waits until everything submitted so far is done. Awaitable by default. Defined in <stile/download.hpp>.
    /// **Completion signature.** `void(std::exception_ptr)`. **GL.** glFenceSync, glClientWaitSync without a timeout (GL 4.3,
    /// GLES 3.1). **Per-operation cancellation.** Terminal, partial, total: `operation_aborted`. **Threads.** Callable from any; the
    /// handler runs on its associated executor. **Lifetime.** The device may be closed meanwhile. See \ref downloads.
    template <class Token>
    auto idle(const DownloadOptions& options, Token&& token) const;
    /// \copydoc idle(const DownloadOptions&, Token&&) const
    template <class Token>
        requires(!std::is_same_v<std::remove_cvref_t<Token>, DownloadOptions>)
    auto idle(Token&& token) const;
    /// \copydoc idle(const DownloadOptions&, Token&&) const
    auto idle(const DownloadOptions& options) const;
    /// \copydoc idle(const DownloadOptions&, Token&&) const
    auto idle() const;

    /// Goes on with a new context after the old one was lost. Awaitable by default. Defined in <stile/download.hpp>.
    ///
    /// Does nothing, with success, if the context is not lost. Where the library made the context it makes the new one on the
    /// same thread; otherwise the options name it. Afterwards tensors whose values are on the CPU, and what was recorded from
    /// them but not yet run, can be used as before; values that were on the GPU alone stay lost (`errc::device_lost`), but for
    /// those of variables with `keepOnHost`.
    ///
    /// **Completion signature.** `void(std::exception_ptr)`; `no_context` if there is none to be had, or the options name none;
    /// `device_lost` if the new one is lost already. Then it may be tried again. `device_closed`. **Per-operation cancellation.** Terminal, partial, total:
    /// `operation_aborted`; a reopening that has begun goes on.
    /// **GL.** What opening a device calls; nothing on the old context. **Threads.** Callable from any, but for
    /// an attached device only from the thread of its loop. **Lifetime.** The device may be closed meanwhile. A context of yours is let go of
    /// by the thread that closes the device. See \ref downloads.
    template <class Token>
    auto reopen(const ReopenOptions& options, Token&& token) const;
    /// \copydoc reopen(const ReopenOptions&, Token&&) const
    template <class Token>
        requires(!std::is_same_v<std::remove_cvref_t<Token>, ReopenOptions>)
    auto reopen(Token&& token) const;
    /// \copydoc reopen(const ReopenOptions&, Token&&) const
    auto reopen(const ReopenOptions& options) const;
    /// \copydoc reopen(const ReopenOptions&, Token&&) const
    auto reopen() const;

    /// Makes ready the programs that computing these tensors needs, without computing them, so that the first use compiles
    /// nothing. DownloadOptions and a completion token may follow the tensors; awaitable by default. Defined in
    /// <stile/download.hpp>.
    ///
    /// A program is there for an operation's structure, not for its sizes: warming up with one batch size is enough for all. Ask for the
    /// same tensors together that will be asked for together, because what is computed in one kernel depends on that. Where the
    /// driver compiles on threads of its own, all programs are compiled at once. Each then computes one work group, into
    /// memory that is given back, because drivers finish a program when it first runs. Other work of the device goes on between
    /// one program and the next; an attached device's loop stands still while its driver compiles one.
    ///
    /// **Completion signature.** `void(std::exception_ptr)`; `shader_failed`, or what the tensors fail with. **GL.**
    /// glCompileShader, glLinkProgram, glProgramBinary, glDispatchCompute (GL 4.3, GLES 3.1), GL_KHR_parallel_shader_compile where there is.
    /// **Per-operation cancellation.** Terminal, partial, total: `operation_aborted`; programs that are ready stay so, the others are
    /// left out. **Threads.** Callable from any; the handler runs on its associated executor. **Lifetime.** The tensors may be dropped
    /// at once, the device closed meanwhile. See \ref downloads.
    /// \throws Error `invalid_argument` for tensors of another device.
    template <class... Arguments>
    auto warmUp(const Tensor& first, Arguments&&... rest) const;
    /// The same for a list of tensors. \copydoc warmUp(const Tensor&, Arguments&&...) const
    template <class... Arguments>
    auto warmUp(std::vector<Tensor> tensors, Arguments&&... rest) const;

    /// What it holds now.
    [[nodiscard]] MemoryInfo memory() const;
    /// What it has done so far.
    [[nodiscard]] DeviceStats stats() const;
    /// What it is doing. Never waits for the GL executor: it tells what a kernel that does not end is.
    [[nodiscard]] DeviceStatus status() const;
    /// The same as some lines of text.
    [[nodiscard]] std::string report() const;
    /// What it runs on; the last that it ran on if its context is lost.
    [[nodiscard]] const DriverInfo& driver() const;
    /// Its name in messages.
    [[nodiscard]] const std::string& label() const;

    // For the library's own use.
    /// What does the work.
    [[nodiscard]] const std::shared_ptr<detail::DeviceCore>& core() const noexcept { return core_; }
    /// `attach` behind its template.
    [[nodiscard]] static Device attachTo(std::unique_ptr<detail::GlExecutor> executor,
                                         const std::function<void*(const char*)>& loader, const DeviceOptions& options);

  private:
    explicit Device(std::shared_ptr<detail::DeviceCore> core) noexcept : core_(std::move(core)) {}

    /// \throws Error `no_device` after a move.
    [[nodiscard]] detail::DeviceCore& held(const char* op) const;

    std::shared_ptr<detail::DeviceCore> core_;
};

}  // namespace stile
