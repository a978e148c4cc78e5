#include <array>

#include <stile/ops/complex.hpp>

#include "table.hpp"

namespace replay {
namespace {

const std::array rows{
    Row{"complex", binary<stile::complex>},
    Row{"real", unary<stile::real>},
    Row{"imag", unary<stile::imag>},
};

}  // namespace

std::span<const Row> spectralRows() { return rows; }

}  // namespace replay
