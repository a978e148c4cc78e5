// expect: no match for .operator\[\].|does not provide a subscript operator
#include <stile/download.hpp>

float wrong(const stile::Tensor& a) { return a.data()[0]; }
