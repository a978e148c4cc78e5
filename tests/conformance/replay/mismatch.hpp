#pragma once

#include <stdexcept>
#include <string>

namespace replay {

/// The tool cannot make a call of this case.
struct Unsupported : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The typed API cannot make this call: a name without an enumerator, a fraction where it takes an integer. No defect of anybody
/// where an error was recorded; the tool lacks something where values were.
struct Mismatch : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace replay
