#include <array>

#include <stile/ops/einsum.hpp>
#include <stile/ops/matmul.hpp>
#include <stile/ops/norm.hpp>

#include "table.hpp"

namespace replay {
namespace {

/// equation, operands…
Results einsum(const Arguments& a) {
    std::vector<stile::Tensor> operands;
    for (int i = 1; i < a.size(); ++i) operands.push_back(a[i].tensor());
    return stile::einsum(a[0].text(), operands);
}

stile::NormOrder order(const Argument& argument) {
    if (argument.isNumber()) return argument.number();
    return argument.choice<stile::NormOrder>({{"euclidean", stile::NormOrder::euclidean}, {"fro", stile::NormOrder::fro}},
                                             stile::NormOrder(stile::NormOrder::euclidean));
}

const std::array rows{
    Row{"matMul",
        [](const Arguments& a) -> Results {
            return stile::matMul(a[0].tensor(), a[1].tensor(), a[2].flag(false), a[3].flag(false));
        }},
    Row{"dot", binary<stile::dot>},
    Row{"outerProduct", binary<stile::outerProduct>},
    Row{"einsum", einsum},
    Row{"norm",
        [](const Arguments& a) -> Results { return stile::norm(a[0].tensor(), order(a[1]), a[2].axes(), a[3].flag(false)); }},
    Row{"euclideanNorm",
        [](const Arguments& a) -> Results { return stile::euclideanNorm(a[0].tensor(), a[1].axes(), a[2].flag(false)); }},
};

}  // namespace

std::span<const Row> matrixRows() { return rows; }

}  // namespace replay
