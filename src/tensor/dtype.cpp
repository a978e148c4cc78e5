#include "stile/dtype.hpp"

#include <ostream>
#include <string>

#include "stile/error.hpp"

namespace stile {

std::string_view name(DType dtype) noexcept {
    switch (dtype) {
        case DType::float32: return "float32";
        case DType::int32: return "int32";
        case DType::boolean: return "bool";
        case DType::complex64: return "complex64";
        case DType::string: return "string";
    }
    return "unknown";
}

std::ostream& operator<<(std::ostream& out, DType dtype) { return out << name(dtype); }

void detail::noCommonDType(DType a, DType b) {
    throw Error(errc::wrong_dtype, std::string("promote: ") + std::string(name(a)) + " with " + std::string(name(b)));
}

}  // namespace stile
