#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "timing.hpp"

namespace bench {

/// What was measured, in milliseconds: medians, unless the row's name says otherwise.
struct Figures {
    double ours = 0;
    std::optional<double> bound{};  ///< the same on this machine without the library
    std::string of{};               ///< what the bound is
};

/// A line of the table.
struct Row {
    std::string name;
    std::function<Figures(const Effort&)> measure;
    std::string peer{};  ///< the peer's name of the same work, if it is another
};

/// What a row is compared with. No side: no bound.
struct Bound {
    std::string of{};
    Side side{};
};

/// Whole pipelines, from the first operation to the awaited values.
[[nodiscard]] std::vector<Row> computeRows();
/// Values on their way to the device and back.
[[nodiscard]] std::vector<Row> transferRows();
/// New programs, with nothing on disk and with everything.
[[nodiscard]] std::vector<Row> firstUseRows();
/// Small downloads while a long graph runs.
[[nodiscard]] std::vector<Row> loadRows();

/// What a child process of firstUseRows does: opens a device and prints the milliseconds that ten new programs take.
void printFirstUse(bool warmUp);

}  // namespace bench
