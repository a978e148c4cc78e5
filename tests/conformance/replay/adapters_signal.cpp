#include <array>

#include <stile/ops/signal.hpp>

#include "table.hpp"

namespace replay {
namespace {

/// signal, length, step, padEnd, padValue.
Results frame(const Arguments& a) {
    return stile::signal::frame(a[0].tensor(), a[1].integer(), a[2].integer(),
                                {.padEnd = a[3].flag(false), .padValue = a[4].number(0)});
}

template <auto window>
Results windowOf(const Arguments& a) {
    return window(a[0].integer());
}

const std::array rows{
    Row{"signal.frame", frame},
    Row{"signal.hannWindow", windowOf<stile::signal::hannWindow>},
    Row{"signal.hammingWindow", windowOf<stile::signal::hammingWindow>},
    Row{"cosineWindow",
        [](const Arguments& a) -> Results { return stile::cosineWindow(a[0].integer(), a[1].number(), a[2].number()); }},
    Row{"enclosingPowerOfTwo",
        [](const Arguments& a) -> Results { return static_cast<double>(stile::enclosingPowerOfTwo(a[0].integer())); }},
};

}  // namespace

std::span<const Row> signalRows() { return rows; }

}  // namespace replay
