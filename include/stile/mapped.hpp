#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include <stile/dtype.hpp>
#include <stile/export.hpp>
#include <stile/shape.hpp>

namespace stile STILE_EXPORT {

/// A lease on the device's memory with a tensor's values: what `map` gives. Move-only; the memory goes back there when the
/// lease ends, on any thread. Nobody writes to it meanwhile.
///
/// The elements are as the device stores them: float, int32, and for bool an int32 that is 0 or 1. The values of a tensor on
/// the CPU are the tensor's own, which the lease keeps alive.
///
/// A lease may outlive its device: the GL context then lives until the last lease ends. If the context is the application's
/// (`Device::attach`, `DeviceOptions::context`), the values can be read until that is destroyed; end leases before closing such a
/// device, or their buffers stay in the context as long as it lives.
template <Element T>
class Mapped {
  public:
    /// The elements as they are stored.
    using Stored = std::conditional_t<std::is_same_v<T, bool>, std::int32_t, T>;

    /// A lease on nothing, of shape [0].
    Mapped() = default;
    /// Takes the lease over; the other is one on nothing.
    Mapped(Mapped&& other) noexcept
        : shape_(std::exchange(other.shape_, Shape{0})),
          values_(std::exchange(other.values_, {})),
          memory_(std::exchange(other.memory_, nullptr)) {}
    /// Ends its own lease and takes the other over.
    Mapped& operator=(Mapped&& other) noexcept {
        if (this != &other) {
            shape_ = std::exchange(other.shape_, Shape{0});
            values_ = std::exchange(other.values_, {});
            memory_ = std::exchange(other.memory_, nullptr);
        }
        return *this;
    }
    /// Ends the lease.
    ~Mapped() = default;

    /// The tensor's shape.
    [[nodiscard]] const Shape& shape() const noexcept { return shape_; }
    /// The elements in row-major order.
    [[nodiscard]] std::span<const Stored> span() const noexcept { return values_; }
    /// How many.
    [[nodiscard]] std::size_t size() const noexcept { return values_.size(); }
    /// The element at a position in row-major order.
    [[nodiscard]] const Stored& operator[](std::size_t index) const noexcept { return values_[index]; }
    /// The first.
    [[nodiscard]] auto begin() const noexcept { return values_.begin(); }
    /// Behind the last.
    [[nodiscard]] auto end() const noexcept { return values_.end(); }

    // For the library's own use.
    /// A lease on these bytes.
    Mapped(const Shape& shape, std::span<const std::byte> bytes, std::shared_ptr<const void> memory)
        : shape_(shape),
          values_(reinterpret_cast<const Stored*>(bytes.data()), bytes.size() / sizeof(Stored)),
          memory_(std::move(memory)) {}

  private:
    Shape shape_{0};
    std::span<const Stored> values_;
    std::shared_ptr<const void> memory_;
};

}  // namespace stile
