#include <asio/use_awaitable.hpp>

#include <algorithm>
#include <vector>

#include <stile/stile.hpp>

#include "async_table.hpp"

namespace replay {
namespace {

const std::vector<AsyncRow> rows{};

}  // namespace

const AsyncRow* findAsyncRow(std::string_view op) {
    const auto found = std::ranges::find(rows, op, &AsyncRow::op);
    return found == rows.end() ? nullptr : &*found;
}

}  // namespace replay
