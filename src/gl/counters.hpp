#pragma once

#include <atomic>
#include <cstdint>

namespace stile::gl {

/// What a device has done and holds: written on the GL executor, read from any thread. The meaning of each is written at
/// stile::DeviceStats and stile::MemoryInfo.
struct Counters {
    using Count = std::atomic<std::int64_t>;
    Count submissions{0}, kernels{0}, dispatches{0}, copies{0};
    Count fences{0}, fencesInFlight{0}, requestsWaiting{0}, polls{0};
    Count programs{0}, compiled{0}, loaded{0}, debugErrors{0};
    Count fencesOverdue{0};
    Count uploadNanoseconds{0};  ///< the GL executor's time in uploads
    Count waitNanoseconds{0};    ///< time in which copies waited for their fences
};

}  // namespace stile::gl
