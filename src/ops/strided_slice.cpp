#include "stile/ops/strided_slice.hpp"

#include <algorithm>
#include <bit>

#include "ops/check.hpp"
#include "stile/ops/shape.hpp"

namespace stile {
namespace {

/// One entry of begin, end and strides.
struct Entry {
    std::int64_t begin = 0, end = 0, stride = 1;
    bool fromStart = true, toEnd = true, shrinks = false;
};

}  // namespace

Tensor stridedSlice(const Tensor& x, const std::vector<std::int64_t>& begin, const std::vector<std::int64_t>& end,
                    const std::vector<std::int64_t>& strides, const StridedSliceOptions& options) {
    constexpr const char* op = "stridedSlice";
    const auto words = [&] {
        return fmt::format("begin [{}], end [{}], strides [{}] of shape {}", fmt::join(begin, ", "), fmt::join(end, ", "),
                           fmt::join(strides, ", "), toString(x.shape()));
    };
    const std::size_t entries = begin.size();
    if (end.size() != entries || (!strides.empty() && strides.size() != entries))
        ops::fail(op, "different lengths: {}", words());
    // Bits behind the last entry are about nothing.
    const std::uint32_t all = entries >= 32 ? ~0U : (1U << entries) - 1U;
    const std::uint32_t ellipsis = options.ellipsisMask & all;
    if (std::popcount(ellipsis) > 1) ops::fail(op, "more than one ellipsis: {}", words());
    const auto added = static_cast<std::size_t>(std::popcount(options.newAxisMask & all & ~ellipsis));
    const std::size_t used = entries - added - (ellipsis != 0 ? 1 : 0), rank = static_cast<std::size_t>(x.rank());
    if (used > rank) ops::fail(op, "more entries than axes: {}", words());

    const std::vector<std::int64_t> steps = ops::stridesOf(x.shape());
    detail::prim::Strided what;
    std::vector<std::int64_t> extents;
    std::size_t axis = 0;
    const auto take = [&](const Entry& entry) {
        const std::int64_t extent = x.shape()[static_cast<int>(axis)], step = steps[axis];
        ++axis;
        const bool forward = entry.stride > 0;
        const auto counted = [extent](std::int64_t at) { return at < 0 ? at + extent : at; };
        if (entry.shrinks) {
            const std::int64_t at = counted(entry.begin);  // whatever the masks say
            if (at < 0 || at >= extent) ops::fail(op, "index {} is outside axis {}: {}", entry.begin, axis - 1, words());
            if (!forward) ops::fail(op, "a shrunk axis with stride {}: {}", entry.stride, words());
            what.offset += at * step;
            return;
        }
        const std::int64_t low = forward ? 0 : -1, high = forward ? extent : extent - 1;
        const std::int64_t first = entry.fromStart ? (forward ? 0 : extent - 1) : std::clamp(counted(entry.begin), low, high);
        const std::int64_t last = entry.toEnd ? (forward ? extent : -1) : std::clamp(counted(entry.end), low, high);
        const std::int64_t distance = forward ? last - first : first - last;
        // A stride longer than the axis is as good as the axis, and does not overflow.
        const std::int64_t stride =
            std::min(forward ? entry.stride : -std::max(entry.stride, -ops::beyondInt32), ops::beyondInt32);
        const std::int64_t count = distance > 0 ? (distance + stride - 1) / stride : 0;
        what.extents.push_back(count);
        what.strides.push_back(count > 1 ? (forward ? stride : -stride) * step : 0);
        what.offset += count > 0 ? first * step : 0;
        extents.push_back(count);
    };
    for (std::size_t i = 0; i < entries; ++i) {
        const auto has = [i](std::uint32_t mask) { return i < 32 && (mask >> i & 1U) != 0; };
        if (has(ellipsis)) {
            for (std::size_t whole = rank - used; whole > 0; --whole) take({});
        } else if (has(options.newAxisMask)) {
            extents.push_back(1);
        } else {
            const Entry entry{.begin = begin[i],
                              .end = end[i],
                              .stride = strides.empty() ? 1 : strides[i],
                              .fromStart = has(options.beginMask),
                              .toEnd = has(options.endMask),
                              .shrinks = has(options.shrinkAxisMask)};
            if (entry.stride == 0) ops::fail(op, "a stride of 0: {}", words());
            take(entry);
        }
    }
    while (axis < rank) take({});
    return ops::record(op, std::move(what), ops::shapeOf(op, extents), x.dtype(), {x});
}

}  // namespace stile
