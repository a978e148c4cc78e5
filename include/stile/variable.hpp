#pragma once

#include <memory>

#include <stile/export.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

/// A handle whose tensor can be replaced: weights, running statistics. Copies share the value. Safe to use from any thread.
class Variable {
  public:
    explicit Variable(Tensor initial);

    /// The tensor that it holds now.
    [[nodiscard]] Tensor value() const;
    operator Tensor() const { return value(); }
    [[nodiscard]] Shape shape() const { return value().shape(); }
    [[nodiscard]] DType dtype() const { return value().dtype(); }

    /// Replaces the tensor; what was computed from the old one keeps it.
    /// \throws Error `invalid_argument` for another shape, `wrong_dtype` for another dtype.
    void assign(const Tensor& value);

  private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace stile
