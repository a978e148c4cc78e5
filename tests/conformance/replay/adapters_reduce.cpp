#include <array>

#include <stile/ops/reduce.hpp>

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

const std::array rows{
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
