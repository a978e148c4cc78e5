#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <stile/buffer.hpp>
#include <stile/create.hpp>
#include <stile/ops/ranked.hpp>
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

/// Values, shape (of vectors there is none), dtype.
template <auto& make, bool hasShape = true>
Results tensorBy(const Arguments& a) {
    const std::optional<DType> wanted = dtypeOf(a[hasShape ? 2 : 1]);
    const DType dtype = wanted ? *wanted : a[0].tensor().dtype();
    if (hasShape && a[1].given()) return make(a[0].nested(dtype), a[1].shape(), dtype);
    return make(a[0].nested(dtype), dtype);
}
constexpr auto tensorOfAnyRank = [](const auto&... form) { return stile::tensor(form...); };

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
    std::vector<float> values;
    for (const double number : a[2].numbers()) values.push_back(static_cast<float>(number));
    if (dtype != DType::float32) return HostValues{"buffer", stile::reshape(a[2].tensor(dtype), shape)};
    return HostValues{"buffer", stile::buffer<float>(shape, std::move(values)).toTensor()};
}

Results fill(const Arguments& a) {
    if (a[1].isText() && !a[1].isNumber()) return stile::fill(a[0].shape(), a[1].text());
    return stile::fill(a[0].shape(), a[1].number(), a[2].dtype(DType::float32));
}

/// rows, columns, batch shape, dtype.
Results eye(const Arguments& a) {
    const DType dtype = a[3].dtype(DType::float32);
    if (a[2].given()) return stile::eye(a[0].integer(), a[1].integer(-1), a[2].shape(), dtype);
    return stile::eye(a[0].integer(), a[1].integer(-1), dtype);
}

/// indices, depth, on, off, dtype.
Results oneHot(const Arguments& a) {
    const stile::OneHotOptions options{
        .onValue = a[2].number(1), .offValue = a[3].number(0), .dtype = a[4].dtype(DType::int32)};
    return stile::oneHot(a[0].tensor(DType::int32), a[1].integer(), options);
}

const std::array rows{
    Row{"tensor", tensorBy<tensorOfAnyRank>},
    Row{"tensor1d", tensorBy<stile::tensor1d, false>},
    Row{"tensor2d", tensorBy<stile::tensor2d>},
    Row{"tensor3d", tensorBy<stile::tensor3d>},
    Row{"tensor4d", tensorBy<stile::tensor4d>},
    Row{"tensor5d", tensorBy<stile::tensor5d>},
    Row{"tensor6d", tensorBy<stile::tensor6d>},
    Row{"scalar", scalar},
    Row{"variable", variable},
    Row{"buffer", buffer},
    Row{"eye", eye},
    Row{"fill", fill},
    Row{"zeros", [](const Arguments& a) -> Results { return stile::zeros(a[0].shape(), a[1].dtype(DType::float32)); }},
    Row{"ones", [](const Arguments& a) -> Results { return stile::ones(a[0].shape(), a[1].dtype(DType::float32)); }},
    Row{"zerosLike", unary<stile::zerosLike>},
    Row{"onesLike", unary<stile::onesLike>},
    Row{"clone", unary<stile::clone>},
    Row{"diag", unary<stile::diag>},
    Row{"oneHot", oneHot},
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
