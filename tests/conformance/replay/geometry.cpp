#include "geometry.hpp"

namespace replay {

using stile::DataFormat;
using stile::Padding;
using stile::Pair;
using stile::Rounding;
using stile::Triple;

Pair pair(const Argument& argument, std::int64_t otherwise) {
    if (!argument.given()) return otherwise;
    const auto numbers = argument.integers();
    if (numbers.size() == 1) return numbers[0];
    if (numbers.size() != 2) argument.mismatch("no pair");
    return {numbers[0], numbers[1]};
}

Triple triple(const Argument& argument, std::int64_t otherwise) {
    if (!argument.given()) return otherwise;
    const auto numbers = argument.integers();
    if (numbers.size() == 1) return numbers[0];
    if (numbers.size() != 3) argument.mismatch("no three numbers");
    return {numbers[0], numbers[1], numbers[2]};
}

Padding padding(const Argument& argument, DataFormat format) {
    if (argument.isNumber()) return Padding::all(argument.integer());
    if (argument.isList()) {
        const int rows = format == DataFormat::nhwc ? 1 : 2;
        const auto vertical = argument[rows].integers();
        const auto horizontal = argument[rows + 1].integers();
        if (vertical.size() != 2 || horizontal.size() != 2) argument.mismatch("no pairs");
        return Padding::amounts(vertical[0], vertical[1], horizontal[0], horizontal[1]);
    }
    return argument.choice<Padding>({{"same", Padding::same()}, {"valid", Padding::valid()}});
}

std::optional<Rounding> rounding(const Argument& argument) {
    if (!argument.given()) return {};
    return argument.choice<Rounding>({{"floor", Rounding::floor}, {"ceil", Rounding::ceil}, {"round", Rounding::round}});
}

DataFormat format(const Argument& argument) {
    return argument.choice<DataFormat>({{"NHWC", DataFormat::nhwc},
                                        {"NCHW", DataFormat::nchw},
                                        {"NWC", DataFormat::nhwc},
                                        {"NCW", DataFormat::nchw},
                                        {"NDHWC", DataFormat::nhwc},
                                        {"NCDHW", DataFormat::nchw}},
                                       DataFormat::nhwc);
}

}  // namespace replay
