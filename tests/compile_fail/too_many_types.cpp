// expect: name a type for each tensor
#include <stile/download.hpp>

auto wrong(const stile::Tensor& a) { return stile::data<float, float>(a); }
