#include <array>
#include <utility>
#include <vector>

#include <stile/ops/blocks.hpp>
#include <stile/ops/ranked.hpp>
#include <stile/ops/shape.hpp>

#include "table.hpp"

namespace replay {
namespace {

using Paddings = std::vector<std::pair<std::int64_t, std::int64_t>>;

std::pair<std::int64_t, std::int64_t> pairOf(const Argument& list) {
    const std::vector<std::int64_t> pair = list.integers();
    if (pair.size() != 2) list.mismatch("no pair");
    return {pair[0], pair[1]};
}

/// [before, after] for each axis.
Paddings paddings(const Argument& list) {
    if (!list.isList()) list.mismatch("no list of paddings");
    Paddings out;
    for (int i = 0; i < list.size(); ++i) out.push_back(pairOf(list[i]));
    return out;
}

/// x, paddings, value.
template <auto& function>
Results pad(const Arguments& a) {
    // Of a vector the one pair alone.
    const bool isPair = a[1].isList() && a[1].size() > 0 && !a[1][0].isList();
    const Paddings pairs = isPair ? Paddings{pairOf(a[1])} : paddings(a[1]);
    return function(a[0].tensor(), pairs, a[2].number(0));
}

/// x, begin, size.
template <auto& function>
Results slice(const Arguments& a) {
    return function(a[0].tensor(), a[1].integers(), a[2].integers());
}

/// x, count or sizes, axis.
Results split(const Arguments& a) {
    if (a[1].isList()) return stile::split(a[0].tensor(), a[1].integers(), a[2].axis(0));
    return stile::split(a[0].tensor(), a[1].axis(), a[2].axis(0));
}

template <auto& function>
Results concat(const Arguments& a) {
    return function(a[0].tensors(), a[1].axis(0));
}

template <auto& function>
Results reverse(const Arguments& a) {
    return function(a[0].tensor(), a[1].axes());
}

/// x, paddings, mode.
Results mirrorPad(const Arguments& a) {
    const auto mode =
        a[2].choice<stile::MirrorMode>({{"reflect", stile::MirrorMode::reflect}, {"symmetric", stile::MirrorMode::symmetric}});
    return stile::mirrorPad(a[0].tensor(), paddings(a[1]), mode);
}

/// x, y, {indexing}.
Results meshgrid(const Arguments& a) {
    std::vector<stile::Tensor> coordinates;
    for (int i = 0; i < 2; ++i) {
        if (a[i].given()) coordinates.push_back(a[i].tensor());
    }
    return stile::meshgrid(coordinates, a[2]["indexing"].choice<stile::Indexing>(
                                            {{"xy", stile::Indexing::xy}, {"ij", stile::Indexing::ij}}, stile::Indexing::xy));
}

/// x, block size, format.
Results depthToSpace(const Arguments& a) {
    const auto format = a[2].choice<stile::DataFormat>({{"NHWC", stile::DataFormat::nhwc}, {"NCHW", stile::DataFormat::nchw}},
                                                       stile::DataFormat::nhwc);
    return stile::depthToSpace(a[0].tensor(), a[1].integer(), format);
}

/// x, block shape, pairs.
template <auto& function>
Results blocks(const Arguments& a) {
    return function(a[0].tensor(), a[1].integers(), paddings(a[2]));
}

/// What depends on the number of the rank alone.
constexpr auto anyPad = [](const stile::Tensor& x, const Paddings& p, double value) { return stile::pad(x, p, value); };
constexpr auto anySlice = [](const stile::Tensor& x, const std::vector<std::int64_t>& begin,
                             const std::vector<std::int64_t>& size) { return stile::slice(x, begin, size); };
constexpr auto anyConcat = [](const std::vector<stile::Tensor>& tensors, int axis) { return stile::concat(tensors, axis); };
constexpr auto anyReverse = [](const stile::Tensor& x, const stile::Axes& axes) { return stile::reverse(x, axes); };

/// Null stands for any extent.
Results ensureShape(const Arguments& a) {
    std::vector<std::int64_t> extents;
    for (int i = 0; i < a[1].size(); ++i) extents.push_back(a[1][i].isNull() ? -1 : a[1][i].integer());
    return stile::ensureShape(a[0].tensor(), extents);
}

const std::array rows{
    Row{"reshape", [](const Arguments& a) -> Results { return stile::reshape(a[0].tensor(), a[1].integers()); }},
    Row{"expandDims", [](const Arguments& a) -> Results { return stile::expandDims(a[0].tensor(), a[1].axis(0)); }},
    Row{"squeeze", [](const Arguments& a) -> Results { return stile::squeeze(a[0].tensor(), a[1].axes()); }},
    Row{"transpose", [](const Arguments& a) -> Results { return stile::transpose(a[0].tensor(), a[1].ints()); }},
    Row{"tile", [](const Arguments& a) -> Results { return stile::tile(a[0].tensor(), a[1].integers()); }},
    Row{"broadcastTo", [](const Arguments& a) -> Results { return stile::broadcastTo(a[0].tensor(), a[1].shape()); }},
    Row{"stack", [](const Arguments& a) -> Results { return stile::stack(a[0].tensors(), a[1].axis(0)); }},
    Row{"unstack", [](const Arguments& a) -> Results { return stile::unstack(a[0].tensor(), a[1].axis(0)); }},
    Row{"pad", pad<anyPad>},
    Row{"pad1d", pad<stile::pad1d>},
    Row{"pad2d", pad<stile::pad2d>},
    Row{"pad3d", pad<stile::pad3d>},
    Row{"pad4d", pad<stile::pad4d>},
    Row{"slice", slice<anySlice>},
    Row{"slice1d", slice<stile::slice1d>},
    Row{"slice2d", slice<stile::slice2d>},
    Row{"slice3d", slice<stile::slice3d>},
    Row{"slice4d", slice<stile::slice4d>},
    Row{"concat", concat<anyConcat>},
    Row{"concat1d", concat<stile::concat1d>},
    Row{"concat2d", concat<stile::concat2d>},
    Row{"concat3d", concat<stile::concat3d>},
    Row{"concat4d", concat<stile::concat4d>},
    Row{"reverse", reverse<anyReverse>},
    Row{"reverse1d", reverse<stile::reverse1d>},
    Row{"reverse2d", reverse<stile::reverse2d>},
    Row{"reverse3d", reverse<stile::reverse3d>},
    Row{"reverse4d", reverse<stile::reverse4d>},
    Row{"split", split},
    Row{"ensureShape", ensureShape},
    Row{"broadcastArgs",
        [](const Arguments& a) -> Results {
            return stile::broadcastArgs(a[0].tensor(stile::DType::int32), a[1].tensor(stile::DType::int32));
        }},
    Row{"mirrorPad", mirrorPad},
    Row{"meshgrid", meshgrid},
    Row{"depthToSpace", depthToSpace},
    Row{"spaceToBatchND", blocks<stile::spaceToBatchND>},
    Row{"batchToSpaceND", blocks<stile::batchToSpaceND>},
};

}  // namespace

std::span<const Row> shapeRows() { return rows; }

}  // namespace replay
