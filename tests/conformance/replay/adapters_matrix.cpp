#include <array>

#include <stile/ops/matmul.hpp>

#include "table.hpp"

namespace replay {
namespace {

const std::array rows{
    Row{"matMul",
        [](const Arguments& a) -> Results {
            return stile::matMul(a[0].tensor(), a[1].tensor(), a[2].flag(false), a[3].flag(false));
        }},
};

}  // namespace

std::span<const Row> matrixRows() { return rows; }

}  // namespace replay
