#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <stile/export.hpp>

namespace stile STILE_EXPORT {

/// The extents of a tensor, outermost first: rank 0 (a scalar) to 8. An extent of 0 is allowed and makes an empty tensor.
class Shape {
  public:
    /// The most extents that a shape has.
    static constexpr int maxRank = 8;

    /// The shape of a scalar: rank 0, one element.
    Shape() noexcept = default;
    /// \throws Error `invalid_argument` for a negative extent, more than 8 extents, or 2^31 elements or more.
    // Not an initializer_list: g++ 12 cannot have one inside a co_await expression.
    template <std::integral... Extent>
        requires(sizeof...(Extent) > 0)
    Shape(Extent... extents) : Shape(std::span<const std::int64_t>(std::array{static_cast<std::int64_t>(extents)...})) {}
    /// The extents as a span. \throws Error as the other constructors.
    explicit Shape(std::span<const std::int64_t> extents);

    /// The number of extents.
    [[nodiscard]] int rank() const noexcept { return rank_; }
    /// The number of elements: the product of the extents, 1 for a scalar.
    [[nodiscard]] std::int64_t size() const noexcept;
    /// The extent along an axis; negative axes count from the last. \throws Error `invalid_argument` outside the rank.
    [[nodiscard]] std::int64_t operator[](int axis) const;

    /// The first extent.
    [[nodiscard]] const std::int64_t* begin() const noexcept { return extents_.data(); }
    /// Behind the last extent.
    [[nodiscard]] const std::int64_t* end() const noexcept { return extents_.data() + rank_; }

    /// The extents as a vector, as `reshape` and its like take them.
    operator std::vector<std::int64_t>() const { return {begin(), end()}; }

    /// Equal in rank and extents.
    friend bool operator==(const Shape& a, const Shape& b) noexcept { return a.rank_ == b.rank_ && a.extents_ == b.extents_; }

  private:
    std::array<std::int64_t, maxRank> extents_{};
    int rank_ = 0;
};

/// "[2, 3]"; "[]" for a scalar.
[[nodiscard]] std::string toString(const Shape& shape);

/// The shape that both broadcast to by NumPy's rule: aligned at the last axis, extents equal or 1.
/// \throws Error `invalid_argument` if there is none.
[[nodiscard]] Shape broadcastShapes(const Shape& a, const Shape& b);

}  // namespace stile
