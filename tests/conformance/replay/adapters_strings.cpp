#include <vector>

#include "table.hpp"

namespace replay {
namespace {

const std::vector<Row> rows{};

}  // namespace

std::span<const Row> stringRows() { return rows; }

}  // namespace replay
