#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "gl/api.hpp"
#include "gl/buffer.hpp"
#include "gl/counters.hpp"
#include "gl/driver.hpp"
#include "gl/program.hpp"
#include "gl/state.hpp"
#include "gl/tuning.hpp"

namespace stile::gl {

/// What a context is opened with.
struct GpuOptions {
    bool es = false;
    bool debug = false;   ///< log what KHR_debug reports
    bool shared = false;  ///< the application's context: keep its state and its debug callback
    bool minimumLimits = false;
    std::size_t poolBytes = 0;
    std::size_t memoryLimit = 0;
    std::size_t programs = 0;
    std::filesystem::path cache;
};

/// A piece of work that is ready to be given to GL: a dispatch, or a part of one that would take long.
struct Step {
    std::function<void()> run;
    std::shared_ptr<Speed> speed;  ///< of such work
    double work = 0;               ///< in its units

    [[nodiscard]] double estimate() const noexcept { return speed->estimate(work); }
};

/// A program that will be needed, and what makes it ready.
struct Rehearsal {
    std::string key;
    std::function<std::string()> source;
    /// Has it compute a little on memory without meaning.
    std::function<void()> run;
};

/// What a GL without shaders does in place of a dispatch; called with the memory of the buffers that were named with it.
using HostKernel = std::function<void(std::span<std::byte* const>)>;

/// Everything that lives in one GL context. Made, used and destroyed on the executor on which GL may be called.
class Gpu {
  public:
    /// With the context current; counts in `counters`. \throws Error `no_context` if it is too old.
    Gpu(const Loader& loader, const GpuOptions& options, Counters& counters);
    ~Gpu();
    Gpu(const Gpu&) = delete;
    Gpu& operator=(const Gpu&) = delete;

  private:
    Health health_;

  public:
    const Api api;

  private:
    std::optional<ForeignErrors> foreign_;  ///< while it is made

  public:
    const Driver driver;
    ErrorLedger errors;
    const bool shared;
    const std::shared_ptr<BufferPool> buffers;
    Programs programs;
    Tuning tuning;
    Counters& counters;
    /// What kernels have prepared, in order. Whoever asks a kernel to run takes it from here.
    std::deque<Step> steps;
    /// While it is there, kernels prepare nothing, and note here which programs they need.
    std::deque<Rehearsal>* rehearsals = nullptr;
    /// The longest that a step should take.
    std::chrono::nanoseconds longestStep = std::chrono::milliseconds(4);
    /// Says what the next dispatch does, with its buffers (0: none). Only the library's own GL for tests has it.
    void (*const hostKernel)(HostKernel kernel, std::span<const GLuint> buffers);

    /// Memory of a kernel's result, or a promise of it where nothing is to run.
    [[nodiscard]] std::shared_ptr<Buffer> take(std::size_t bytes) {
        return rehearsals ? buffers->promise(bytes) : buffers->take(bytes);
    }

    /// Keeps the application's GL state while it lives; does nothing where the context is the library's own.
    [[nodiscard]] std::unique_ptr<StateGuard> keepState();
};

}  // namespace stile::gl
