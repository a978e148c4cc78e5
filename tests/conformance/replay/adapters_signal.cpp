#include <array>
#include <functional>

#include <stile/create.hpp>
#include <stile/ops/signal.hpp>

#include "table.hpp"

namespace replay {
namespace {

/// signal, length, step, padEnd, padValue.
Results frame(const Arguments& a) {
    return stile::signal::frame(a[0].tensor(), a[1].integer(), a[2].integer(),
                                {.padEnd = a[3].flag(false), .padValue = a[4].number(0)});
}

/// signal, frame length, frame step, length of the transform, window.
Results stft(const Arguments& a) {
    const auto ones = [](std::int64_t length) { return stile::ones({length}); };
    using Window = std::function<stile::Tensor(std::int64_t)>;
    stile::signal::StftOptions options{.fftLength = a[3].integer(-1)};
    if (a[4].given()) {
        options.window = a[4]["fn"].choice<Window>({{"signal.hannWindow", stile::signal::hannWindow},
                                                    {"signal.hammingWindow", stile::signal::hammingWindow},
                                                    {"ones", ones}});
    }
    return stile::signal::stft(a[0].tensor(), a[1].integer(), a[2].integer(), options);
}

template <auto window>
Results windowOf(const Arguments& a) {
    return window(a[0].integer());
}

const std::array rows{
    Row{"signal.frame", frame},
    Row{"signal.stft", stft},
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
