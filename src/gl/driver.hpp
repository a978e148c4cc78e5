#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "gl/api.hpp"

namespace stile::gl {

/// How kernels read a tensor: from its storage block, or through a texture buffer over the same memory.
enum class LoadPath : std::uint8_t { storage, texture };

/// What the context is and can do.
struct Driver {
    std::string vendor, renderer, version;
    bool es = false;
    bool es32 = false;           ///< GLES 3.2 or later
    bool software = false;       ///< the renderer is this machine's CPU
    bool immediate = false;      ///< a dispatch has run when its call returns
    bool robust = false;         ///< the context reports its own loss
    bool bufferStorage = false;  ///< persistent mappings
    bool hostVisible = false;    ///< tensors lie in ordinary memory
    bool textureBuffer = false;
    bool timerQueries = false;     ///< tells when it came to a place in its work
    bool parallelCompile = false;  ///< compiles on threads of its own
    bool minimumLimits = false;

    LoadPath loadPath = LoadPath::storage;
    int storageBlocks = 4;                              ///< in one compute shader
    int textureUnits = 16;                              ///< in one compute shader
    int invocations = 128;                              ///< in one work group
    std::int64_t storageBytes = std::int64_t{1} << 27;  ///< in one storage block
    std::int64_t textureTexels = 65536;                 ///< in one texture buffer
    std::int64_t groups = 65535;                        ///< in one dimension of a dispatch

    /// How many tensors one kernel may read beside the one that it writes.
    [[nodiscard]] int maxInputs() const noexcept {
        // A tensor with more elements than a texture buffer has texels is read from a storage block after all.
        const bool always = loadPath == LoadPath::texture && textureTexels * 4 >= storageBytes;
        return always ? textureUnits : std::min(textureUnits, storageBlocks - 1);
    }
    /// Names the driver and its version: program binaries are valid for this text only.
    [[nodiscard]] std::string identity() const { return vendor + "|" + renderer + "|" + version; }
};

/// Asks the current context. `minimumLimits` (or STILE_LIMITS=minimum) forces the least that GLES 3.1 promises;
/// STILE_LOAD_PATH=storage|texture overrules the choice of load path.
[[nodiscard]] Driver inspect(const Api& gl, bool es, bool minimumLimits);

/// Lines that tell which driver this is, what was chosen and which workarounds are on.
void logDriver(const Driver& driver);

}  // namespace stile::gl
