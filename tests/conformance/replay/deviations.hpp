#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "case.hpp"

namespace replay {

/// Where the reference is wrong, or refuses what is well defined, and the library gives the right value. A case that does not agree with
/// its record and fits an entry is told apart from failures.
class Deviations {
  public:
    /// Reads the file: a list of `{"op", "reason"}` with at least one of these conditions, all of which have to hold:
    /// `ids`: cases; `throws`: true for those that recorded an error; `dtypes`: those of the arguments that are tensors, in order; `empty`: true if a
    /// tensor among the arguments has no elements; `rank`: that of the first argument, a tensor; `mentions`: a string among the arguments. \throws std::exception for another form.
    explicit Deviations(const std::string& file);

    /// The reason if the case is such a one.
    [[nodiscard]] std::optional<std::string> reasonFor(const Case& recorded) const;

  private:
    struct Entry {
        std::string op;
        std::string reason;
        std::vector<std::function<bool(const Case&)>> conditions{};
    };
    std::vector<Entry> entries_;
};

}  // namespace replay
