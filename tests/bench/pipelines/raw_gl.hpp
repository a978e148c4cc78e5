#pragma once

#include <cstddef>

#include "timing.hpp"

namespace bench {

/// One added to so many floats by a shader, copied to staging memory, waited for and read: on one thread that does nothing else, in
/// a context of its own on the driver that the environment chooses.
[[nodiscard]] Side rawRoundTrip(std::size_t elements);

/// So many copies of one float to staging memory, behind one fence, waited for and read in the same way.
[[nodiscard]] Side rawScalars(std::size_t count);

}  // namespace bench
