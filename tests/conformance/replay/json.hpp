#pragma once

#include <nlohmann/json_fwd.hpp>

namespace replay {

/// Files that only hand values on include this one: parsing and building them costs seconds of compile time per file.
using Json = nlohmann::json;

}  // namespace replay
