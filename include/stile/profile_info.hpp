#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <stile/export.hpp>
#include <stile/shape.hpp>

namespace stile STILE_EXPORT {

/// What a function took, in milliseconds.
struct Timing {
    double wallMs = 0;               ///< from its call until its results were computed and that was known here
    std::optional<double> kernelMs;  ///< of it on the GPU, in kernels; none if the driver does not tell
    double uploadWaitMs = 0;         ///< the GL thread's time in uploads
    double downloadWaitMs = 0;       ///< time in which downloads waited for a fence
};

/// One kernel that has run.
struct KernelProfile {
    std::string name;                       ///< the operation; of a fused kernel all of them, joined by +
    std::size_t bytesAdded = 0;             ///< of its result
    std::size_t totalBytesSnapshot = 0;     ///< of all results on the device after it
    std::int64_t tensorsAdded = 0;          ///< its result
    std::int64_t totalTensorsSnapshot = 0;  ///< results on the device after it
    std::vector<Shape> inputShapes;         ///< of the operands of its last operation
    Shape outputShape;
    std::optional<double> kernelTimeMs;  ///< on the GPU; none if the driver does not tell
};

/// What a function did on a device.
struct ProfileInfo {
    std::int64_t newBytes = 0;             ///< results on the device after it less those before
    std::int64_t newTensors = 0;           ///< the same, as a count
    std::size_t peakBytes = 0;             ///< the most bytes of results on the device meanwhile
    std::vector<KernelProfile> kernels;    ///< in the order in which they ran
    std::vector<std::string> kernelNames;  ///< each name once, in that order
};

}  // namespace stile
