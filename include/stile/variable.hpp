#pragma once

#include <memory>

#include <stile/export.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

/// How a variable holds its tensor.
struct VariableOptions {
    /// Have each value copied to the host in the background, so that it outlives a lost GL context (Device::reopen). The copy
    /// costs host memory of the tensor's size and, on each `assign`, a download. It starts with the next download of the
    /// device, or about 2 ms later; one is under way at a time, and of what is assigned meanwhile only the latest follows.
    bool keepOnHost = false;
};

/// A handle whose tensor can be replaced: weights, running statistics. Copies share the value. Safe to use from any thread.
class Variable {
  public:
    /// Holds this tensor at first.
    explicit Variable(Tensor initial, const VariableOptions& options = {});

    /// The tensor that it holds now. With `keepOnHost`, after the GL context was lost: the latest whose copy had arrived on the
    /// host. What was assigned later is lost, also what was assigned before the device was reopened, unless its values were on
    /// the CPU.
    [[nodiscard]] Tensor value() const;
    /// The same as `value`.
    operator Tensor() const { return value(); }
    /// The shape, which never changes.
    [[nodiscard]] Shape shape() const { return value().shape(); }
    /// The dtype, which never changes.
    [[nodiscard]] DType dtype() const { return value().dtype(); }

    /// Replaces the tensor; what was computed from the old one keeps it. Never blocks.
    /// \throws Error `invalid_argument` for another shape, `wrong_dtype` for another dtype.
    void assign(const Tensor& value);

  private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace stile
