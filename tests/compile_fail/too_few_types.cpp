// expect: name a type for each tensor
#include <stile/download.hpp>

auto wrong(const stile::Tensor& a, const stile::Tensor& b) { return stile::data<float>(a, b); }
