#include "measures.hpp"

#include <cstdint>

#include <stile/stile.hpp>

namespace dashboard {

std::vector<stile::Tensor> measure(const stile::Tensor& field) {
    using stile::Tensor;
    const std::int64_t rows = field.shape()[0], columns = field.shape()[1];
    const std::int64_t middle = rows / 2, centre = columns / 2;
    const Tensor mean = field.mean(), mass = field.sum();
    const Tensor across = stile::linspace(0, 1, columns), down = stile::linspace(0, 1, rows).expandDims(-1);
    return {
        mean,
        stile::squaredDifference(field, mean).mean().sqrt(),
        field.min(),
        field.max(),
        stile::divNoNan((field * across).sum(), mass),
        stile::divNoNan((field * down).sum(), mass),
        field.slice({0, 0}, {middle, centre}).mean(),
        field.slice({0, centre}, {middle, -1}).mean(),
        field.slice({middle, 0}, {-1, centre}).mean(),
        field.slice({middle, centre}).mean(),
    };
}

}  // namespace dashboard
