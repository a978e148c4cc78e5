#include <array>
#include <cmath>

#include <stile/ops/elementwise.hpp>
#include <stile/random.hpp>

#include "table.hpp"

namespace replay {
namespace {

using stile::DType;

/// Any number is a seed for the reference. Without one the same numbers come each time: a check that failed now and then would
/// tell nothing.
std::uint64_t seed(const Argument& argument) {
    return argument.isNumber() ? static_cast<std::uint64_t>(std::llround(1000 * argument.number())) : 20'221'122;
}

/// The reference cuts uniform numbers to integers and rounds normal ones.
stile::Tensor cut(const stile::Tensor& x, DType dtype) { return stile::cast(stile::cast(x, DType::int32), dtype); }

Results randomUniform(const Arguments& a) {
    const DType dtype = a[3].dtype(DType::float32);
    const auto x =
        stile::randomUniform(a[0].shape(), static_cast<float>(a[1].number(0)), static_cast<float>(a[2].number(1)), seed(a[4]));
    return dtype == DType::float32 ? x : cut(x, dtype);
}

Results randomUniformInt(const Arguments& a) {
    return stile::randomUniformInt(a[0].shape(), static_cast<std::int32_t>(a[1].integer()),
                                   static_cast<std::int32_t>(a[2].integer()), seed(a[3]));
}

template <auto law>
Results normal(const Arguments& a) {
    const DType dtype = a[3].dtype(DType::float32);
    const auto x = law(a[0].shape(), static_cast<float>(a[1].number(0)), static_cast<float>(a[2].number(1)), seed(a[4]));
    return dtype == DType::float32 ? x : cut(stile::round(x), dtype);
}

Results randomStandardNormal(const Arguments& a) {
    const DType dtype = a[1].dtype(DType::float32);
    const auto x = stile::randomNormal(a[0].shape(), 0, 1, seed(a[2]));
    return dtype == DType::float32 ? x : cut(stile::round(x), dtype);
}

const std::array rows{
    Row{"randomUniform", randomUniform},
    Row{"randomUniformInt", randomUniformInt},
    Row{"randomNormal", normal<stile::randomNormal>},
    Row{"truncatedNormal", normal<stile::truncatedNormal>},
    Row{"randomStandardNormal", randomStandardNormal},
};

}  // namespace

std::span<const Row> randomRows() { return rows; }

}  // namespace replay
