#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <source_location>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <stile/dtype.hpp>
#include <stile/export.hpp>
#include <stile/ndarray.hpp>
#include <stile/shape.hpp>

namespace stile STILE_EXPORT {

class Device;
struct DownloadOptions;

namespace detail {
struct Node;
using NodePtr = std::shared_ptr<Node>;
}  // namespace detail

/// The axes of a reduction: `{}` (all), one, or several; negative ones count from the last.
class Axes {
  public:
    /// All axes.
    Axes() = default;
    /// These axes.
    template <std::integral... Axis>
        requires(sizeof...(Axis) > 0)
    Axes(Axis... axes) : list_{static_cast<int>(axes)...} {}
    /// These axes; an empty vector means all.
    explicit Axes(std::vector<int> axes) : list_(std::move(axes)) {}

    /// Whether no axis was named.
    [[nodiscard]] bool all() const noexcept { return list_.empty(); }
    /// The named axes, as they were given.
    [[nodiscard]] const std::vector<int>& list() const noexcept { return list_; }

  private:
    std::vector<int> list_;
};

/// An immutable n-dimensional value: a handle on a recorded node, cheap to copy, safe to use from any thread.
///
/// Making a tensor or calling an operation never blocks and never calls GL: operations check their arguments, know shape
/// and dtype at once and are recorded. A download (`data`, `array`), `eval` or a long enough record starts the work.
class Tensor {
  public:
    /// An empty float32 tensor of shape [0].
    Tensor();
    /// A copy is another handle on the same value. Moving is copying, so that there is no handle on nothing.
    Tensor(const Tensor&) = default;
    Tensor& operator=(const Tensor&) = default;
    ~Tensor() = default;
    /// A scalar: a bool becomes a bool tensor, an integer int32, a floating-point number float32.
    /// \throws Error `invalid_argument` for an integer outside int32.
    template <Number Scalar>
    Tensor(Scalar value) : Tensor(fromNumber(value)) {}

    /// The extents; known as soon as the tensor is recorded.
    [[nodiscard]] const Shape& shape() const noexcept;
    /// The type of the elements.
    [[nodiscard]] DType dtype() const noexcept;
    /// The number of axes.
    [[nodiscard]] int rank() const noexcept { return shape().rank(); }
    /// The number of elements.
    [[nodiscard]] std::int64_t size() const noexcept { return shape().size(); }

    /// This value, bound to a device: operations on the result run there. For values on the CPU; one that a device computes
    /// stays there. \throws Error `invalid_argument` for such a one on another device: download it and make a new tensor.
    [[nodiscard]] Tensor on(const Device& device) const;

    // Downloads. The asynchronous ones are defined in <stile/download.hpp>, where their contract is written down.

    /// The values with their shape. Awaitable by default. \throws Error `wrong_dtype`.
    /// **Completion signature.** `void(std::exception_ptr, NdArray<T>)`. **GL.** What the operations behind the
    /// tensor dispatch, glCopyBufferSubData, glFenceSync, glClientWaitSync without a timeout (GL 4.3, GLES 3.1); none for values on
    /// the CPU. **Per-operation cancellation.** Terminal, partial, total: `operation_aborted`. **Threads.**
    /// Callable from any; the handler runs on its associated executor. **Lifetime.** The tensor may be dropped, the device closed.
    /// See \ref downloads.
    template <Element T = float>
    auto array() const;
    /// \copydoc array()
    template <Element T = float>
    auto array(const DownloadOptions& options) const;
    /// \copydoc array()
    template <Element T = float, class Token>
        requires(!std::is_same_v<std::remove_cvref_t<Token>, DownloadOptions>)
    auto array(Token&& token) const;
    /// \copydoc array()
    template <Element T = float, class Token>
    auto array(const DownloadOptions& options, Token&& token) const;

    /// The values in row-major order. Awaitable by default. \throws Error `wrong_dtype`.
    /// **Completion signature.** `void(std::exception_ptr, std::vector<T>)`. **GL.** What the operations behind the
    /// tensor dispatch, glCopyBufferSubData, glFenceSync, glClientWaitSync without a timeout (GL 4.3, GLES 3.1); none for values on
    /// the CPU. **Per-operation cancellation.** Terminal, partial, total: `operation_aborted`. **Threads.**
    /// Callable from any; the handler runs on its associated executor. **Lifetime.** The tensor may be dropped, the device closed.
    /// See \ref downloads.
    template <Element T = float>
    auto data() const;
    /// \copydoc data()
    template <Element T = float>
    auto data(const DownloadOptions& options) const;
    /// \copydoc data()
    template <Element T = float, class Token>
        requires(!std::is_same_v<std::remove_cvref_t<Token>, DownloadOptions>)
    auto data(Token&& token) const;
    /// \copydoc data()
    template <Element T = float, class Token>
    auto data(const DownloadOptions& options, Token&& token) const;

    /// The values, written in row-major order to memory of the caller's. Awaitable by default.
    /// **Completion signature.** `void(std::exception_ptr)`. **GL.** What the operations behind the
    /// tensor dispatch, glCopyBufferSubData, glFenceSync, glClientWaitSync without a timeout (GL 4.3, GLES 3.1); none for values on
    /// the CPU. **Per-operation cancellation.** Terminal, partial, total: `operation_aborted`. **Threads.**
    /// Callable from any; the handler runs on its associated executor. **Lifetime.** The tensor may be dropped; `out` must live
    /// until the handler is called or destroyed: nothing is written after that, nor after an error or a cancellation.
    /// See \ref downloads.
    /// \throws Error `wrong_dtype`, or `invalid_argument` if `out` has not as many elements as the tensor.
    template <Element T>
    auto dataInto(std::span<T> out) const;
    /// \copydoc dataInto(std::span<T>) const
    template <Element T>
    auto dataInto(std::span<T> out, const DownloadOptions& options) const;
    /// \copydoc dataInto(std::span<T>) const
    template <Element T, class Token>
        requires(!std::is_same_v<std::remove_cvref_t<Token>, DownloadOptions>)
    auto dataInto(std::span<T> out, Token&& token) const;
    /// \copydoc dataInto(std::span<T>) const
    template <Element T, class Token>
    auto dataInto(std::span<T> out, const DownloadOptions& options, Token&& token) const;

    /// The values where the device's copy put them, without another copy. Awaitable by default. \throws Error `wrong_dtype`.
    /// **Completion signature.** `void(std::exception_ptr, Mapped<T>)`. **GL.** What the operations behind the
    /// tensor dispatch, glCopyBufferSubData, glFenceSync, glClientWaitSync without a timeout (GL 4.3, GLES 3.1); none for values on
    /// the CPU. **Per-operation cancellation.** Terminal, partial, total: `operation_aborted`. **Threads.** Callable from
    /// any; the handler runs on its associated executor. **Lifetime.** The tensor may be dropped, the device closed; see Mapped for
    /// the lease. See \ref downloads.
    template <Element T = float>
    auto map() const;
    /// \copydoc map()
    template <Element T = float>
    auto map(const DownloadOptions& options) const;
    /// \copydoc map()
    template <Element T = float, class Token>
        requires(!std::is_same_v<std::remove_cvref_t<Token>, DownloadOptions>)
    auto map(Token&& token) const;
    /// \copydoc map()
    template <Element T = float, class Token>
    auto map(const DownloadOptions& options, Token&& token) const;

    /// Writes the values to standard output as nested brackets. Awaitable by default.
    /// **Completion signature.** `void(std::exception_ptr)`. **GL.** What the operations behind the
    /// tensor dispatch, glCopyBufferSubData, glFenceSync, glClientWaitSync without a timeout (GL 4.3, GLES 3.1); none for values on
    /// the CPU. **Per-operation cancellation.** Terminal, partial, total: `operation_aborted`. **Threads.**
    /// Callable from any; the handler runs on its associated executor. **Lifetime.** The tensor may be dropped, the device closed.
    /// See \ref downloads.
    auto print() const;
    /// \copydoc print()
    template <class Token>
    auto print(Token&& token) const;

    /// The blocking twin of `array`: waits for everything that was asked of the device before, and logs a warning with the
    /// caller's place and the milliseconds for which it blocked (see <stile/sync.hpp>).
    /// \throws Error `wrong_dtype`, `sync_forbidden`, `would_deadlock`, or whatever the awaited twin completes with.
    template <Element T = float>
    [[nodiscard]] NdArray<T> arraySync(std::source_location where = std::source_location::current()) const;
    /// The blocking twin of `data`; see `arraySync`.
    template <Element T = float>
    [[nodiscard]] std::vector<T> dataSync(std::source_location where = std::source_location::current()) const;

    // The most used operations as members; each is the free function of the same name.

    /// stile::cast of this tensor.
    [[nodiscard]] Tensor cast(DType dtype) const;
    /// stile::reshape of this tensor.
    [[nodiscard]] Tensor reshape(const std::vector<std::int64_t>& extents) const;
    /// The same elements in one axis.
    [[nodiscard]] Tensor flatten() const;
    /// stile::transpose of this tensor.
    [[nodiscard]] Tensor transpose(const std::vector<int>& permutation = {}) const;
    /// stile::slice of this tensor.
    [[nodiscard]] Tensor slice(const std::vector<std::int64_t>& begin, const std::vector<std::int64_t>& size = {}) const;
    /// stile::expandDims of this tensor.
    [[nodiscard]] Tensor expandDims(int axis = 0) const;
    /// stile::squeeze of this tensor.
    [[nodiscard]] Tensor squeeze(const Axes& axes = {}) const;
    /// stile::matMul of this tensor.
    [[nodiscard]] Tensor matMul(const Tensor& b, bool transposeA = false, bool transposeB = false) const;
    /// stile::add of this tensor.
    [[nodiscard]] Tensor add(const Tensor& b) const;
    /// stile::sub of this tensor.
    [[nodiscard]] Tensor sub(const Tensor& b) const;
    /// stile::mul of this tensor.
    [[nodiscard]] Tensor mul(const Tensor& b) const;
    /// stile::div of this tensor.
    [[nodiscard]] Tensor div(const Tensor& b) const;
    /// stile::pow of this tensor.
    [[nodiscard]] Tensor pow(const Tensor& b) const;
    /// stile::neg of this tensor.
    [[nodiscard]] Tensor neg() const;
    /// stile::abs of this tensor.
    [[nodiscard]] Tensor abs() const;
    /// stile::exp of this tensor.
    [[nodiscard]] Tensor exp() const;
    /// stile::log of this tensor.
    [[nodiscard]] Tensor log() const;
    /// stile::sqrt of this tensor.
    [[nodiscard]] Tensor sqrt() const;
    /// stile::square of this tensor.
    [[nodiscard]] Tensor square() const;
    /// stile::relu of this tensor.
    [[nodiscard]] Tensor relu() const;
    /// stile::sigmoid of this tensor.
    [[nodiscard]] Tensor sigmoid() const;
    /// stile::tanh of this tensor.
    [[nodiscard]] Tensor tanh() const;
    /// stile::softmax of this tensor.
    [[nodiscard]] Tensor softmax(int axis = -1) const;
    /// stile::sum of this tensor.
    [[nodiscard]] Tensor sum(const Axes& axes = {}, bool keepDims = false) const;
    /// stile::mean of this tensor.
    [[nodiscard]] Tensor mean(const Axes& axes = {}, bool keepDims = false) const;
    /// stile::max of this tensor.
    [[nodiscard]] Tensor max(const Axes& axes = {}, bool keepDims = false) const;
    /// stile::min of this tensor.
    [[nodiscard]] Tensor min(const Axes& axes = {}, bool keepDims = false) const;
    /// stile::argMax of this tensor.
    [[nodiscard]] Tensor argMax(int axis = 0) const;

    // For the library's own use.
    /// A handle on a node.
    explicit Tensor(detail::NodePtr node) noexcept : node_(std::move(node)) {}
    /// The node behind it.
    [[nodiscard]] const detail::NodePtr& node() const noexcept { return node_; }

  private:
    static Tensor fromNumber(bool value);
    static Tensor fromNumber(float value);
    static Tensor fromNumber(double value) { return fromNumber(static_cast<float>(value)); }
    static Tensor fromNumber(long double value) { return fromNumber(static_cast<float>(value)); }
    static Tensor fromInteger(std::int64_t value, bool fits);
    template <std::integral Integer>
    static Tensor fromNumber(Integer value) {
        return fromInteger(static_cast<std::int64_t>(value), std::in_range<std::int32_t>(value));
    }

    detail::NodePtr node_;
};

}  // namespace stile
