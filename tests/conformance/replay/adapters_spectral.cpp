#include <array>

#include <stile/ops/complex.hpp>
#include <stile/ops/spectral.hpp>

#include "table.hpp"

namespace replay {
namespace {

Results rfft(const Arguments& a) { return stile::spectral::rfft(a[0].tensor(), a[1].integer(-1)); }

const std::array rows{
    Row{"complex", binary<stile::complex>},
    Row{"real", unary<stile::real>},
    Row{"imag", unary<stile::imag>},
    Row{"fft", unary<stile::fft>},
    Row{"ifft", unary<stile::ifft>},
    Row{"rfft", rfft},
    Row{"irfft", unary<stile::irfft>},
    Row{"spectral.fft", unary<stile::spectral::fft>},
    Row{"spectral.ifft", unary<stile::spectral::ifft>},
    Row{"spectral.rfft", rfft},
    Row{"spectral.irfft", unary<stile::spectral::irfft>},
};

}  // namespace

std::span<const Row> spectralRows() { return rows; }

}  // namespace replay
