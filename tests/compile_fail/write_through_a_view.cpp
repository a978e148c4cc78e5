// expect: no match for .operator=.|no viable overloaded '='|not assignable|read-only
#include <stile/ndarray.hpp>

void wrong(const stile::NdArray<float>& values) { values[0][1] = 2.0F; }
