#pragma once

#include <memory>

#include <stile/export.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

/// A handle whose tensor can be replaced: weights, running statistics. Copies share the value. Safe to use from any thread.
class Variable {
  public:
    /// Holds this tensor at first.
    explicit Variable(Tensor initial);

    /// The tensor that it holds now.
    [[nodiscard]] Tensor value() const;
    /// The same as `value`.
    operator Tensor() const { return value(); }
    /// The shape, which never changes.
    [[nodiscard]] Shape shape() const { return value().shape(); }
    /// The dtype, which never changes.
    [[nodiscard]] DType dtype() const { return value().dtype(); }

    /// Replaces the tensor; what was computed from the old one keeps it.
    /// \throws Error `invalid_argument` for another shape, `wrong_dtype` for another dtype.
    void assign(const Tensor& value);

  private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace stile
