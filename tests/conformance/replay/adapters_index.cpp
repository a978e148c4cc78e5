#include <array>

#include <stile/create.hpp>
#include <stile/ops/index.hpp>
#include <stile/ops/scatter.hpp>
#include <stile/ops/sort.hpp>
#include <stile/ops/strided_slice.hpp>

#include "table.hpp"

namespace replay {
namespace {

using stile::DType;

/// Indices that are a nested list are whole numbers.
stile::Tensor indices(const Argument& a) { return a.tensor(DType::int32); }

Results topk(const Arguments& a) {
    stile::TopK found = stile::topk(a[0].tensor(), a[1].integer(1), a[2].flag(true));
    return Results::Members{{"values", found.values}, {"indices", found.indices}};
}

/// indices, values, shape, default.
Results sparseToDense(const Arguments& a) {
    const stile::Tensor values = a[1].tensor();
    if (!a[3].given()) return stile::sparseToDense(indices(a[0]), values, a[2].shape());
    return stile::sparseToDense(indices(a[0]), values, a[2].shape(), a[3].tensor(values.dtype()));
}

/// x, begin, end, strides and the five masks.
Results stridedSlice(const Arguments& a) {
    const auto mask = [&](int i) { return static_cast<std::uint32_t>(a[i].integer(0)); };
    const stile::StridedSliceOptions options{
        .beginMask = mask(4), .endMask = mask(5), .ellipsisMask = mask(6), .newAxisMask = mask(7), .shrinkAxisMask = mask(8)};
    return stile::stridedSlice(a[0].tensor(), a[1].integers(), a[2].integers(), a[3].integers(), options);
}

Results searchSorted(const Arguments& a) {
    const auto side = a[2].choice<stile::Side>({{"left", stile::Side::left}, {"right", stile::Side::right}}, stile::Side::left);
    return stile::searchSorted(a[0].tensor(), a[1].tensor(), side);
}

const std::array rows{
    Row{"gatherND", [](const Arguments& a) -> Results { return stile::gatherND(a[0].tensor(), indices(a[1])); }},
    Row{"scatterND",
        [](const Arguments& a) -> Results { return stile::scatterND(indices(a[0]), a[1].tensor(), a[2].shape()); }},
    Row{"tensorScatterUpdate",
        [](const Arguments& a) -> Results {
            const stile::Tensor x = a[0].tensor();
            return stile::tensorScatterUpdate(x, indices(a[1]), a[2].tensor(x.dtype()));
        }},
    Row{"sparseToDense", sparseToDense},
    Row{"unsortedSegmentSum",
        [](const Arguments& a) -> Results { return stile::unsortedSegmentSum(a[0].tensor(), indices(a[1]), a[2].integer()); }},
    Row{"bincount",
        [](const Arguments& a) -> Results { return stile::bincount(indices(a[0]), a[1].tensor(), a[2].integer()); }},
    Row{"denseBincount",
        [](const Arguments& a) -> Results {
            return stile::denseBincount(indices(a[0]), a[1].tensor(), a[2].integer(), a[3].flag(false));
        }},
    Row{"topk", topk},
    Row{"searchSorted", searchSorted},
    Row{"lowerBound", binary<stile::lowerBound>},
    Row{"upperBound", binary<stile::upperBound>},
    Row{"stridedSlice", stridedSlice},
    Row{"gather",
        [](const Arguments& a) -> Results {
            return stile::gather(a[0].tensor(), a[1].tensor(stile::DType::int32), a[2].axis(0), a[3].axis(0));
        }},
};

}  // namespace

std::span<const Row> indexRows() { return rows; }

}  // namespace replay
