#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gl/gpu.hpp"

namespace stile::kernels {

/// Invocations of a work group: within the 128 that every driver has.
constexpr int groupSize = 64;

/// A stretch of a tensor's elements.
struct Part {
    std::int64_t first = 0, count = 0;
};

/// The stretches in which a kernel goes through so many elements: one, unless they are more than a storage block holds.
[[nodiscard]] std::vector<Part> partsOf(const gl::Driver& driver, std::int64_t elements);

/// A tensor that a kernel reads as `inN(index)` or writes as `result[index]`.
struct Binding {
    gl::Buffer* buffer = nullptr;
    gl::View view{};
    Part part{};  ///< what the kernel sees of it, from its index 0 on; no elements: all of it
};

/// Whether a kernel can read all of a tensor at once.
[[nodiscard]] bool isReadable(const gl::Driver& driver, const Binding& input);

/// The integers that a kernel reads as `P[index]`: sizes, strides, bits of scalars.
class Params {
  public:
    Params() = default;
    Params(std::initializer_list<std::int64_t> values) {
        for (const std::int64_t value : values) add(value);
    }
    /// Appends; returns the index.
    int add(std::int64_t value) {
        values_.push_back(static_cast<int>(value));
        return static_cast<int>(values_.size()) - 1;
    }
    int addBits(std::uint32_t bits) { return add(static_cast<std::int32_t>(bits)); }
    int addFloat(float value);
    /// Appends what `quotient(i, index)` needs to divide by a number: the number, and a factor and a shift in place of it.
    int addDivisor(std::int64_t divisor);
    int& operator[](int index) { return values_[static_cast<std::size_t>(index)]; }
    [[nodiscard]] const std::vector<int>& values() const noexcept { return values_; }

  private:
    std::vector<int> values_;
};

/// One dispatch of one shader file. All that decides the program is in `file`, `code`, the views, and the number of
/// parameters; all that differs from call to call is in the buffers and the parameters' values.
struct Launch {
    std::string_view file{};     ///< below shaders/
    std::string_view library{};  ///< a file that `code` needs before it
    std::string code{};          ///< defines and generated functions that come before it
    std::vector<Binding> inputs{};
    Binding output{};
    bool accumulates = false;  ///< reads the output too
    Params params{};
    std::int64_t invocations = 0;
    double work = 0;  ///< in units of about a multiplication and an addition each; 0: four for each invocation
};

/// Builds the program if it is new and appends the dispatch to Gpu::steps: as one step, or as several over a part of the
/// invocations each if it is going to take long. A step binds and dispatches, folded over the group limit; after the last stands the
/// barrier that lets the next dispatch read the result. Nothing happens for 0 invocations.
/// GL: glUseProgram, glBindBufferBase, glBindBufferRange, glBindTexture, glUniform1iv, glDispatchCompute, glMemoryBarrier (GL 4.3, GLES 3.1).
/// \throws Error `shader_failed`, or `too_large` for a tensor that is bound whole and larger than a storage block.
void launch(gl::Gpu& gpu, const Launch& launch);

/// Does something behind the dispatches so far.
void then(gl::Gpu& gpu, std::function<void()> what);

/// An axis of an index space: how long it is, and how far apart its elements lie in memory.
struct Axis {
    std::int64_t extent = 1, stride = 0;
};

/// The same walk with fewer axes: extents of 1 vanish and axes that lie behind each other are merged.
[[nodiscard]] std::vector<Axis> merged(const std::vector<Axis>& axes);
[[nodiscard]] std::vector<Axis> axesOf(const std::vector<std::int64_t>& extents, const std::vector<std::int64_t>& strides);
/// Makes a merged walk over elements one over quads of neighbouring elements, if they lie so; says whether they do.
[[nodiscard]] bool toQuads(std::vector<Axis>& axes);

/// GLSL of `int name(int i)`: the sum of coordinate times stride for each coordinate of i in row-major order of the axes.
/// Extents and strides become parameters.
[[nodiscard]] std::string indexFunction(std::string_view name, const std::vector<Axis>& walk, Params& params);
[[nodiscard]] std::string indexFunction(std::string_view name, const std::vector<std::int64_t>& extents,
                                        const std::vector<std::int64_t>& strides, Params& params);

/// A scratch buffer of so many elements.
[[nodiscard]] std::shared_ptr<gl::Buffer> scratch(gl::Gpu& gpu, std::int64_t elements);

}  // namespace stile::kernels
