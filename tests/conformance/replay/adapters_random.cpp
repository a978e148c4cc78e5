#include <array>
#include <cmath>

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

/// shape, low or mean, high or deviation, dtype, seed.
template <auto law>
Results drawn(const Arguments& a) {
    return law(a[0].shape(), static_cast<float>(a[1].number(0)), static_cast<float>(a[2].number(1)), seed(a[4]),
               a[3].dtype(DType::float32));
}

Results randomUniformInt(const Arguments& a) {
    return stile::randomUniformInt(a[0].shape(), static_cast<std::int32_t>(a[1].integer()),
                                   static_cast<std::int32_t>(a[2].integer()), seed(a[3]));
}

Results randomStandardNormal(const Arguments& a) {
    return stile::randomStandardNormal(a[0].shape(), seed(a[2]), a[1].dtype(DType::float32));
}

Results randomGamma(const Arguments& a) {
    return stile::randomGamma(a[0].shape(), static_cast<float>(a[1].number()), static_cast<float>(a[2].number(1)), seed(a[4]),
                              a[3].dtype(DType::float32));
}

/// logits, number of samples, seed, normalized.
Results multinomial(const Arguments& a) {
    return stile::multinomial(a[0].tensor(DType::float32), a[1].integer(), seed(a[2]), a[3].flag(false));
}

const std::array rows{
    Row{"randomGamma", randomGamma},
    Row{"multinomial", multinomial},
    Row{"randomUniform", drawn<stile::randomUniform>},
    Row{"randomUniformInt", randomUniformInt},
    Row{"randomNormal", drawn<stile::randomNormal>},
    Row{"truncatedNormal", drawn<stile::truncatedNormal>},
    Row{"randomStandardNormal", randomStandardNormal},
};

}  // namespace

std::span<const Row> randomRows() { return rows; }

}  // namespace replay
