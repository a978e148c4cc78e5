#pragma once

#include <cstdint>
#include <string>

namespace replay {

/// What became of a case.
enum class Verdict : std::uint8_t {
    passed,
    failed,
    notApplicable,  ///< the typed API cannot make the call
    unsupported,    ///< the tool cannot make the call, or the library has no such operation
    deviation,      ///< differs where the reference itself is wrong
};

struct Outcome {
    Verdict verdict = Verdict::passed;
    /// Why it has not passed, with the first element that differs.
    std::string why{};
};

}  // namespace replay
