#include <array>

#include <stile/ops/complex.hpp>
#include <stile/ops/spectral.hpp>

#include "table.hpp"

namespace replay {
namespace {

const std::array rows{
    Row{"complex", binary<stile::complex>},
    Row{"real", unary<stile::real>},
    Row{"imag", unary<stile::imag>},
    Row{"fft", unary<stile::fft>},
    Row{"ifft", unary<stile::ifft>},
    Row{"rfft", [](const Arguments& a) -> Results { return stile::rfft(a[0].tensor(), a[1].integer(-1)); }},
    Row{"irfft", unary<stile::irfft>},
};

}  // namespace

std::span<const Row> spectralRows() { return rows; }

}  // namespace replay
