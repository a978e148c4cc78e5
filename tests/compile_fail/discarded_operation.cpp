// expect: ignoring return value
#include <stile/ops.hpp>

void wrong(const stile::Tensor& a, const stile::Tensor& b) { stile::add(a, b); }
