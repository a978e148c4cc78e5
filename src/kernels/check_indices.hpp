#pragma once

#include "kernels/kernels.hpp"

namespace stile::kernels {

/// With STILE_DEBUG=1: waits for int32 indices and looks at each; else does nothing. Kernels pass over what is out of range, for
/// a GPU cannot throw.
/// GL: glMapBufferRange before a fence, which blocks this thread.
/// \throws Error `invalid_argument` that names the first index outside 0…extent-1 and its position.
void checkIndices(gl::Gpu& gpu, const Operand& indices, std::int64_t extent);

}  // namespace stile::kernels
