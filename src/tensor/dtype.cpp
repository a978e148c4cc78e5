#include "stile/dtype.hpp"

namespace stile {

std::string_view name(DType dtype) noexcept {
    switch (dtype) {
        case DType::float32: return "float32";
        case DType::int32: return "int32";
        case DType::boolean: return "bool";
    }
    return "unknown";
}

}  // namespace stile
