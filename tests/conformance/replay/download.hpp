#pragma once

#include <asio/awaitable.hpp>

#include <nlohmann/json.hpp>

#include "results.hpp"

namespace replay {

/// Downloads all tensors of the results, and writes them as case files do.
[[nodiscard]] asio::awaitable<nlohmann::json> toJson(Results results);

}  // namespace replay
