// expect: no matching (member )?function for call to .*(data|array)
#include <stile/download.hpp>

auto wrong(const stile::Tensor& a) { return a.data<double>(); }
