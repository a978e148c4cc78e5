#include <array>

#include <stile/ops/linalg.hpp>

#include "table.hpp"

namespace replay {
namespace {

/// x, lower, upper; both numbers or both tensors.
Results bandPart(const Arguments& a) {
    if (a[1].isTensor() || a[2].isTensor()) {
        return stile::linalg::bandPart(a[0].tensor(), a[1].tensor(stile::DType::int32), a[2].tensor(stile::DType::int32));
    }
    return stile::linalg::bandPart(a[0].tensor(), a[1].integer(), a[2].integer());
}

Results gramSchmidt(const Arguments& a) {
    if (a[0].isList()) return stile::linalg::gramSchmidt(a[0].tensors());
    return stile::linalg::gramSchmidt(a[0].tensor());
}

Results qr(const Arguments& a) {
    const stile::linalg::QR factors = stile::linalg::qr(a[0].tensor(), a[1].flag(false));
    return Results::List{factors.q, factors.r};
}

const std::array rows{
    Row{"linalg.bandPart", bandPart},
    Row{"linalg.gramSchmidt", gramSchmidt},
    Row{"linalg.qr", qr},
};

}  // namespace

std::span<const Row> linalgRows() { return rows; }

}  // namespace replay
