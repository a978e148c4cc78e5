// expect: ignoring return value
#include <stile/tensor.hpp>

void wrong(const stile::Tensor& a) { a.arraySync(); }
