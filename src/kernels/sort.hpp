#pragma once

#include "kernels/kernels.hpp"

namespace stile::kernels {

/// What prim::Sort does, for kernels that need order themselves. `x` holds rows × extent values of the view, `out` gets rows × kept positions.
void sort(gl::Gpu& gpu, const prim::Sort& what, gl::Buffer* x, gl::View view, gl::Buffer* out);

}  // namespace stile::kernels
