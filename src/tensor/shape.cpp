#include "stile/shape.hpp"

#include <algorithm>
#include <limits>

#include "stile/error.hpp"

namespace stile {
namespace {

std::string bracketed(std::span<const std::int64_t> extents) {
    std::string text = "[";
    for (std::size_t i = 0; i < extents.size(); ++i) {
        if (i > 0) text += ", ";
        text += std::to_string(extents[i]);
    }
    return text + "]";
}

}  // namespace

Shape::Shape(std::span<const std::int64_t> extents) {
    if (extents.size() > maxRank) {
        throw Error(errc::invalid_argument, "shape " + bracketed(extents) + " has more than 8 axes");
    }
    // The product is checked without the zeros, so that [0, 2^40] cannot hide an extent that would overflow later.
    std::int64_t product = 1;
    for (const std::int64_t extent : extents) {
        if (extent < 0) throw Error(errc::invalid_argument, "shape " + bracketed(extents) + " has a negative extent");
        if (extent > std::numeric_limits<std::int32_t>::max() / std::max<std::int64_t>(product, 1)) {
            throw Error(errc::invalid_argument, "shape " + bracketed(extents) + " has 2^31 elements or more");
        }
        if (extent > 0) product *= extent;
        extents_[static_cast<std::size_t>(rank_++)] = extent;
    }
}

std::int64_t Shape::size() const noexcept {
    std::int64_t product = 1;
    for (const std::int64_t extent : *this) product *= extent;
    return product;
}

std::int64_t Shape::operator[](int axis) const {
    const int at = axis < 0 ? axis + rank_ : axis;
    if (at < 0 || at >= rank_) {
        throw Error(errc::invalid_argument, "axis " + std::to_string(axis) + " is outside shape " + toString(*this));
    }
    return extents_[static_cast<std::size_t>(at)];
}

std::string toString(const Shape& shape) { return bracketed({shape.begin(), shape.end()}); }

Shape broadcastShapes(const Shape& a, const Shape& b) {
    std::array<std::int64_t, Shape::maxRank> extents{};
    const int rank = std::max(a.rank(), b.rank());
    for (int i = 1; i <= rank; ++i) {
        const std::int64_t x = i <= a.rank() ? a[-i] : 1;
        const std::int64_t y = i <= b.rank() ? b[-i] : 1;
        if (x != y && x != 1 && y != 1) {
            throw Error(errc::invalid_argument, "shapes " + toString(a) + " and " + toString(b) + " do not broadcast");
        }
        extents[static_cast<std::size_t>(rank - i)] = x == 1 ? y : x;
    }
    return Shape(std::span<const std::int64_t>(extents.data(), static_cast<std::size_t>(rank)));
}

}  // namespace stile
