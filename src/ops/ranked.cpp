#include "stile/ops/ranked.hpp"

#include "ops/check.hpp"

namespace stile::detail {

void expectRank(const char* op, int rank, const Shape& shape) {
    if (shape.rank() != rank) {
        const std::string name = fmt::format("{}{}d", op, rank);
        ops::fail(name.c_str(), "shape {} is not of rank {}", toString(shape), rank);
    }
}

const Tensor& ofRank(const char* op, int rank, const Tensor& x) {
    expectRank(op, rank, x.shape());
    return x;
}

}  // namespace stile::detail
