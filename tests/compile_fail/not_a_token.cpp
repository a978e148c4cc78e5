// expect: no matching function for call to .*async_initiate
#include <stile/download.hpp>

void wrong(const stile::Tensor& a) { a.data(42); }
