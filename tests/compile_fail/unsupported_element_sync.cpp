// expect: no matching (member )?function for call to .*arraySync
#include <stile/tensor.hpp>

auto wrong(const stile::Tensor& a) { return a.arraySync<double>(); }
