#include <array>
#include <optional>
#include <string>

#include <stile/create.hpp>
#include <stile/ops/shape.hpp>
#include <stile/variable.hpp>

#include "table.hpp"

namespace replay {
namespace {

using stile::DType;

std::optional<DType> dtypeOf(const Argument& argument) {
    if (!argument.given()) return {};
    return argument.dtype(DType::float32);
}

/// Values, shape, dtype.
Results tensor(const Arguments& a) {
    const stile::Tensor values = a[0].tensor(dtypeOf(a[2]));
    return a[1].given() ? stile::reshape(values, a[1].shape()) : values;
}

/// Values, dtype.
Results tensor1d(const Arguments& a) { return a[0].tensor(dtypeOf(a[1])); }

Results scalar(const Arguments& a) {
    const bool bytes = a[0].isTyped("Uint8Array") && a[1].isText() && a[1].text() == "string";
    if (bytes || (a[0].isText() && !a[0].isNumber())) return stile::tensor(a[0].nested(DType::string));
    if (a[0].isFlag() && !a[1].given()) return stile::Tensor(a[0].flag());
    return stile::scalar(a[0].number(), a[1].dtype(DType::float32));
}

Results variable(const Arguments& a) {
    const stile::Variable variable(a[0].tensor());
    return variable.value();
}

Results buffer(const Arguments& a) {
    const DType dtype = a[1].dtype(DType::float32);
    const stile::Shape shape = a[0].shape();
    if (!a[2].given()) return HostValues{"buffer", stile::zeros(shape, dtype)};
    return HostValues{"buffer", stile::reshape(a[2].tensor(dtype), shape)};
}

Results fill(const Arguments& a) {
    if (a[1].isText() && !a[1].isNumber()) return stile::fill(a[0].shape(), a[1].text());
    return stile::fill(a[0].shape(), a[1].number(), a[2].dtype(DType::float32));
}

Results eye(const Arguments& a) {
    if (a[2].given()) a[2].mismatch("no batch shape");
    return stile::eye(a[0].integer(), a[1].integer(-1), a[3].dtype(DType::float32));
}

const std::array rows{
    Row{"tensor", tensor},
    Row{"tensor1d", tensor1d},
    Row{"tensor2d", tensor},
    Row{"tensor3d", tensor},
    Row{"tensor4d", tensor},
    Row{"tensor5d", tensor},
    Row{"tensor6d", tensor},
    Row{"scalar", scalar},
    Row{"variable", variable},
    Row{"buffer", buffer},
    Row{"eye", eye},
    Row{"fill", fill},
    Row{"zeros", [](const Arguments& a) -> Results { return stile::zeros(a[0].shape(), a[1].dtype(DType::float32)); }},
    Row{"ones", [](const Arguments& a) -> Results { return stile::ones(a[0].shape(), a[1].dtype(DType::float32)); }},
    Row{"zerosLike", unary<stile::zerosLike>},
    Row{"onesLike", unary<stile::onesLike>},
    Row{"clone", [](const Arguments& a) -> Results { return a[0].tensor(); }},
    Row{"range",
        [](const Arguments& a) -> Results {
            return stile::range(a[0].number(), a[1].number(), a[2].number(1), a[3].dtype(DType::float32));
        }},
    Row{"linspace",
        [](const Arguments& a) -> Results { return stile::linspace(a[0].number(), a[1].number(), a[2].integer()); }},
};

}  // namespace

std::span<const Row> creationRows() { return rows; }

}  // namespace replay
