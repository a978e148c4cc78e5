#include <array>
#include <utility>
#include <vector>

#include <stile/ops/shape.hpp>

#include "table.hpp"

namespace replay {
namespace {

using Paddings = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// [before, after] for each axis.
Paddings paddings(const Argument& list) {
    if (!list.isList()) list.mismatch("no list of paddings");
    Paddings out;
    for (int i = 0; i < list.size(); ++i) {
        const std::vector<std::int64_t> pair = list[i].integers();
        if (pair.size() != 2) list.mismatch("no pair");
        out.emplace_back(pair[0], pair[1]);
    }
    return out;
}

Results pad(const Arguments& a) { return stile::pad(a[0].tensor(), paddings(a[1]), a[2].number(0)); }

/// x, begin, size.
Results slice(const Arguments& a) { return stile::slice(a[0].tensor(), a[1].integers(), a[2].integers()); }

/// x, count or sizes, axis.
Results split(const Arguments& a) {
    if (a[1].isList()) return stile::split(a[0].tensor(), a[1].integers(), a[2].axis(0));
    return stile::split(a[0].tensor(), a[1].axis(), a[2].axis(0));
}

Results concat(const Arguments& a) { return stile::concat(a[0].tensors(), a[1].axis(0)); }

Results reverse(const Arguments& a) { return stile::reverse(a[0].tensor(), a[1].axes()); }

const std::array rows{
    Row{"reshape", [](const Arguments& a) -> Results { return stile::reshape(a[0].tensor(), a[1].integers()); }},
    Row{"expandDims", [](const Arguments& a) -> Results { return stile::expandDims(a[0].tensor(), a[1].axis(0)); }},
    Row{"squeeze", [](const Arguments& a) -> Results { return stile::squeeze(a[0].tensor(), a[1].axes()); }},
    Row{"transpose", [](const Arguments& a) -> Results { return stile::transpose(a[0].tensor(), a[1].ints()); }},
    Row{"slice", slice},
    Row{"slice1d", slice},
    Row{"slice2d", slice},
    Row{"slice3d", slice},
    Row{"slice4d", slice},
    Row{"reverse", reverse},
    Row{"reverse1d", reverse},
    Row{"reverse2d", reverse},
    Row{"reverse3d", reverse},
    Row{"reverse4d", reverse},
    Row{"tile", [](const Arguments& a) -> Results { return stile::tile(a[0].tensor(), a[1].integers()); }},
    Row{"broadcastTo", [](const Arguments& a) -> Results { return stile::broadcastTo(a[0].tensor(), a[1].shape()); }},
    Row{"pad", pad},
    Row{"pad2d", pad},
    Row{"pad3d", pad},
    Row{"pad4d", pad},
    Row{"concat", concat},
    Row{"concat2d", concat},
    Row{"concat3d", concat},
    Row{"concat4d", concat},
    Row{"stack", [](const Arguments& a) -> Results { return stile::stack(a[0].tensors(), a[1].axis(0)); }},
    Row{"unstack", [](const Arguments& a) -> Results { return stile::unstack(a[0].tensor(), a[1].axis(0)); }},
    Row{"split", split},
};

}  // namespace

std::span<const Row> shapeRows() { return rows; }

}  // namespace replay
