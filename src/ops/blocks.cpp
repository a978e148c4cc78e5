#include "stile/ops/blocks.hpp"

#include "ops/check.hpp"
#include "stile/ops/shape.hpp"

namespace stile {
namespace {

using Pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// Both operations are one walk over the input. It is recorded without the reshapes in between, which would have more axes than
/// a shape may have.
Tensor walk(const char* op, const Tensor& x, const std::vector<std::int64_t>& extents, detail::prim::Strided what) {
    return ops::record(op, std::move(what), ops::shapeOf(op, extents), x.dtype(), {x});
}

/// The number of positions of a block. \throws if the arguments do not fit together.
std::int64_t checkBlocks(const char* op, const Tensor& x, const std::vector<std::int64_t>& block, const Pairs& pairs) {
    const auto what = [&] { return fmt::format("x {}, block [{}]", toString(x.shape()), fmt::join(block, ", ")); };
    if (std::cmp_less(x.rank(), block.size() + 1)) ops::fail(op, "{}: rank below {}", what(), block.size() + 1);
    if (pairs.size() != block.size()) ops::fail(op, "{}, but {} pairs", what(), pairs.size());
    std::int64_t positions = 1;
    for (const std::int64_t extent : block) {
        if (extent < 1) ops::fail(op, "{}: extent below 1", what());
        positions = std::min(positions * std::min(extent, ops::beyondInt32), ops::beyondInt32);
    }
    for (const auto& [before, after] : pairs) {
        if (before < 0 || after < 0) ops::fail(op, "({}, {}) is negative; {}", before, after, what());
    }
    return positions;
}

}  // namespace

Tensor spaceToBatchND(const Tensor& x, const std::vector<std::int64_t>& blockShape, const Pairs& paddings) {
    constexpr const char* op = "spaceToBatchND";
    const std::int64_t positions = checkBlocks(op, x, blockShape, paddings);
    Pairs whole(static_cast<std::size_t>(x.rank()), {0, 0});
    bool isPadded = false;
    for (std::size_t i = 0; i < paddings.size(); ++i) {
        whole[i + 1] = paddings[i];
        isPadded = isPadded || paddings[i] != std::pair<std::int64_t, std::int64_t>{0, 0};
    }
    const Tensor padded = isPadded ? pad(x, whole) : x;
    const std::vector<std::int64_t> strides = ops::stridesOf(padded.shape());
    std::vector<std::int64_t> extents = ops::extentsOf(padded.shape());
    detail::prim::Strided what{.extents = blockShape,
                               .strides = {strides.begin() + 1, strides.begin() + 1 + std::ssize(blockShape)}};
    extents[0] *= positions;
    what.extents.push_back(padded.shape()[0]);
    what.strides.push_back(strides[0]);
    for (std::size_t i = 1; i < extents.size(); ++i) {
        const std::int64_t block = i <= blockShape.size() ? blockShape[i - 1] : 1;
        if (extents[i] % block != 0) {
            ops::fail(op, "axis {} of padded shape {} is no multiple of block {}", i, toString(padded.shape()), block);
        }
        extents[i] /= block;
        what.extents.push_back(extents[i]);
        what.strides.push_back(strides[i] * block);
    }
    return walk(op, padded, extents, std::move(what));
}

Tensor batchToSpaceND(const Tensor& x, const std::vector<std::int64_t>& blockShape, const Pairs& crops) {
    constexpr const char* op = "batchToSpaceND";
    const std::int64_t positions = checkBlocks(op, x, blockShape, crops);
    std::vector<std::int64_t> extents = ops::extentsOf(x.shape()), strides = ops::stridesOf(x.shape());
    if (extents[0] % positions != 0) ops::fail(op, "batch of {} is no multiple of {}", toString(x.shape()), positions);
    extents[0] /= positions;
    // The input's first axis is [blocks…, batch]: the last of the blocks is nearest to the batch.
    std::vector<std::int64_t> blockStrides(blockShape.size());
    std::int64_t stride = strides[0] * extents[0];
    for (std::size_t i = blockShape.size(); i-- > 0;) {
        blockStrides[i] = stride;
        stride *= blockShape[i];
    }
    detail::prim::Strided what{.extents = {extents[0]}, .strides = {strides[0]}};
    std::vector<std::int64_t> begin(extents.size(), 0), size = extents;
    bool isCropped = false;
    for (std::size_t i = 1; i < extents.size(); ++i) {
        what.extents.push_back(extents[i]);
        what.strides.push_back(strides[i]);
        if (i > blockShape.size()) continue;
        const auto [before, after] = crops[i - 1];
        what.extents.push_back(blockShape[i - 1]);
        what.strides.push_back(blockStrides[i - 1]);
        extents[i] *= blockShape[i - 1];
        if (before > extents[i] || after > extents[i] - before) {
            ops::fail(op, "crop ({}, {}) of an axis of {}, x {}", before, after, extents[i], toString(x.shape()));
        }
        begin[i] = before;
        size[i] = extents[i] - before - after;
        isCropped = isCropped || before > 0 || after > 0;
    }
    const Tensor spread = walk(op, x, extents, std::move(what));
    return isCropped ? slice(spread, begin, size) : spread;
}

Tensor depthToSpace(const Tensor& x, std::int64_t blockSize, DataFormat format) {
    constexpr const char* op = "depthToSpace";
    ops::expect(op, "x", x, DType::float32);
    if (x.rank() != 4) ops::fail(op, "x {} is not of rank 4", toString(x.shape()));
    const bool last = format == DataFormat::nhwc;
    const int rows = last ? 1 : 2, columns = rows + 1, depth = last ? 3 : 1;
    const Shape& from = x.shape();
    if (blockSize < 2 || blockSize > ops::beyondInt32 || from[depth] % (blockSize * blockSize) != 0) {
        ops::fail(op, "{} channels of x {} in blocks of {}", from[depth], toString(from), blockSize);
    }
    const std::int64_t channels = from[depth] / (blockSize * blockSize);
    const std::vector<std::int64_t> strides = ops::stridesOf(from);
    const std::int64_t step = strides[static_cast<std::size_t>(depth)] * channels;
    const std::int64_t down = strides[static_cast<std::size_t>(rows)], right = strides[static_cast<std::size_t>(columns)];
    std::vector<std::int64_t> extents = ops::extentsOf(from);
    extents[static_cast<std::size_t>(rows)] *= blockSize;
    extents[static_cast<std::size_t>(columns)] *= blockSize;
    extents[static_cast<std::size_t>(depth)] = channels;
    detail::prim::Strided what{.extents = {from[rows], blockSize, from[columns], blockSize},
                               .strides = {down, step * blockSize, right, step}};
    const auto at = last ? std::ptrdiff_t{4} : std::ptrdiff_t{0};
    what.extents.insert(what.extents.begin() + at, channels);
    what.strides.insert(what.strides.begin() + at, strides[static_cast<std::size_t>(depth)]);
    what.extents.insert(what.extents.begin(), from[0]);
    what.strides.insert(what.strides.begin(), strides[0]);
    return walk(op, x, extents, std::move(what));
}

}  // namespace stile
