#include <array>

#include <stile/ops/reduce.hpp>
#include <stile/ops/scan.hpp>

#include "table.hpp"

namespace replay {
namespace {

using stile::DType;

/// x, axis, keepDims.
template <auto function>
Results reduction(const Arguments& a) {
    return function(a[0].tensor(), a[1].axes(), a[2].flag(false));
}
template <auto function>
Results logicalReduction(const Arguments& a) {
    return function(a[0].tensor(DType::boolean), a[1].axes(), a[2].flag(false));
}
template <auto function>
Results indexReduction(const Arguments& a) {
    return function(a[0].tensor(), a[1].axis(0));
}

/// x, axis, exclusive, reverse.
template <auto function>
Results scan(const Arguments& a) {
    return function(a[0].tensor(), a[1].axis(0),
                    stile::ScanOptions{.exclusive = a[2].flag(false), .reverse = a[3].flag(false)});
}

const std::array rows{
    Row{"cumsum", scan<stile::cumsum>},
    Row{"cumprod", scan<stile::cumprod>},
    Row{"sum", reduction<stile::sum>},
    Row{"mean", reduction<stile::mean>},
    Row{"prod", reduction<stile::prod>},
    Row{"max", reduction<stile::max>},
    Row{"min", reduction<stile::min>},
    Row{"all", logicalReduction<stile::all>},
    Row{"any", logicalReduction<stile::any>},
    Row{"logSumExp", reduction<stile::logSumExp>},
    Row{"argMax", indexReduction<stile::argMax>},
    Row{"argMin", indexReduction<stile::argMin>},
};

}  // namespace

std::span<const Row> reduceRows() { return rows; }

}  // namespace replay
