#include <array>

#include <stile/ops/index.hpp>

#include "table.hpp"

namespace replay {
namespace {

const std::array rows{
    Row{"gather",
        [](const Arguments& a) -> Results {
            return stile::gather(a[0].tensor(), a[1].tensor(stile::DType::int32), a[2].axis(0), a[3].axis(0));
        }},
};

}  // namespace

std::span<const Row> indexRows() { return rows; }

}  // namespace replay
