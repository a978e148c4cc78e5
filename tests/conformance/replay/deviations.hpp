#pragma once

#include <optional>
#include <string>
#include <vector>

#include "case.hpp"

namespace replay {

/// Where the reference is wrong and the library gives the right value. A case that does not agree with its record and fits an
/// entry is told apart from failures.
class Deviations {
  public:
    /// Reads the file: a list of `{"op", "reason"}` with either `ids` (cases) or `dtypes` (of the arguments that are tensors, in
    /// order) beside them. \throws std::exception for another form.
    explicit Deviations(const std::string& file);

    /// The reason if the case is such a one.
    [[nodiscard]] std::optional<std::string> reasonFor(const Case& recorded) const;

  private:
    struct Entry {
        std::string op;
        std::string reason;
        std::vector<std::string> ids{};
        std::vector<std::string> dtypes{};
    };
    std::vector<Entry> entries_;
};

}  // namespace replay
