#include <array>
#include <string>

#include <stile/dtype.hpp>

#include "table.hpp"

namespace replay {
namespace {

Results upcastType(const Arguments& a) {
    return std::string(stile::name(stile::promote(a[0].dtype(stile::DType::float32), a[1].dtype(stile::DType::float32))));
}

const std::array rows{
    Row{"upcastType", upcastType},
};

}  // namespace

std::span<const Row> memberRows() { return rows; }

}  // namespace replay
