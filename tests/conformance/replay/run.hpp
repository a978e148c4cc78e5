#pragma once

#include <asio/awaitable.hpp>

#include "case.hpp"
#include "deviations.hpp"
#include "verdict.hpp"

namespace replay {

/// Makes the call of a case, awaits its results and compares them. Never throws for what the case does.
[[nodiscard]] asio::awaitable<Outcome> run(const Case& recorded, const Deviations& deviations);

}  // namespace replay
