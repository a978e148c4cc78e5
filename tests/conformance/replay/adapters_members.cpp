#include <vector>

#include "table.hpp"

namespace replay {
namespace {

const std::vector<Row> rows{};

}  // namespace

std::span<const Row> memberRows() { return rows; }

}  // namespace replay
